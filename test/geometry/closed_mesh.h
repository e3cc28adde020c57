// SPDX-License-Identifier: MIT
// What every surface of a body must be, for tests of whatever makes triangles.
#pragma once
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "mesh/mesh.h"
#include "mesh/topology/weld.h"

static inline int closed_mesh_compare(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// Sides of triangles that no other triangle meets the other way round; vertices at the same place
// count as one. 0: the mesh is closed, and all of it is turned the same way.
static inline int64_t closed_mesh_open_sides(const firn_mesh* mesh)
{
    firn_welder welder = {0};
    firn_mesh welded = {0};
    const size_t count = 3 * (size_t)mesh->triangle_count;
    uint64_t* there = firn_alloc(count + 1, sizeof *there);
    uint64_t* back = firn_alloc(count + 1, sizeof *back);
    assert_non_null(there);
    assert_non_null(back);
    for (size_t c = 0; c < count; c++) {
        const int32_t* t = mesh->triangles[c / 3];
        int32_t a, b;
        assert_true(firn_welder_add(&welder, &welded, mesh->vertices[t[c % 3]], &a));
        assert_true(firn_welder_add(&welder, &welded, mesh->vertices[t[(c + 1) % 3]], &b));
        there[c] = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
        back[c] = (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
    }
    qsort(there, count, sizeof *there, closed_mesh_compare);
    qsort(back, count, sizeof *back, closed_mesh_compare);
    int64_t open = 0;
    for (size_t c = 0; c < count; c++) open += there[c] != back[c];
    firn_free(there);
    firn_free(back);
    firn_mesh_destroy(&welded);
    firn_welder_destroy(&welder);
    return open;
}
