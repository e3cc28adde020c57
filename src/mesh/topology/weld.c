// SPDX-License-Identifier: MIT
// Welds vertices at the same position with a hash table (open addressing, linear probing).
#include "mesh/topology/weld.h"

#include "core/hash.h"
#include "core/memory.h"

#define SLOTS_MIN 64

void firn_welder_destroy(firn_welder* welder)
{
    firn_free(welder->slots);
    *welder = (firn_welder){0};
}

static uint32_t home_of(const firn_welder* welder, const firn_vec3* x)
{
    return (uint32_t)firn_hash(x, sizeof *x, 0) & (welder->slot_count - 1);
}

static bool grow(firn_welder* welder, const firn_mesh* mesh)
{
    const uint32_t count = welder->slot_count == 0 ? SLOTS_MIN : 2 * welder->slot_count;
    int32_t* slots = firn_alloc(count, sizeof *slots);
    if (slots == NULL) return false;
    firn_free(welder->slots);
    *welder = (firn_welder){slots, count};
    for (firn_local i = 0; i < mesh->vertex_count; i++) {
        uint32_t s = home_of(welder, &mesh->vertices[i]);
        while (slots[s] != 0) s = (s + 1) & (count - 1);
        slots[s] = i + 1;
    }
    return true;
}

bool firn_welder_add(firn_welder* welder, firn_mesh* mesh, firn_vec3 x, int32_t* out_vertex)
{
    if (2 * (uint32_t)mesh->vertex_count >= welder->slot_count && !grow(welder, mesh)) return false;
    x = firn_v3_add(x, firn_v3(0, 0, 0));  // -0 and 0 are the same position with different bits
    uint32_t s = home_of(welder, &x);
    for (; welder->slots[s] != 0; s = (s + 1) & (welder->slot_count - 1)) {
        const firn_vec3 y = mesh->vertices[welder->slots[s] - 1];
        if (y.x != x.x || y.y != x.y || y.z != x.z) continue;
        *out_vertex = welder->slots[s] - 1;
        return true;
    }
    if (!firn_mesh_add_vertex(mesh, x)) return false;
    welder->slots[s] = mesh->vertex_count;
    *out_vertex = mesh->vertex_count - 1;
    return true;
}

static bool weld(const firn_mesh* mesh, firn_mesh* out)
{
    firn_welder welder = {0};
    int32_t* now = firn_alloc((size_t)mesh->vertex_count, sizeof *now);
    bool good = now != NULL;
    for (firn_local i = 0; good && i < mesh->vertex_count; i++)
        good = firn_welder_add(&welder, out, mesh->vertices[i], &now[i]);
    for (firn_local k = 0; good && k < mesh->triangle_count; k++) {
        const int32_t* c = mesh->triangles[k];
        good = firn_mesh_add_triangle(out, now[c[0]], now[c[1]], now[c[2]]);
    }
    firn_welder_destroy(&welder);
    firn_free(now);
    return good;
}

firn_result firn_mesh_weld(const firn_mesh* mesh, firn_mesh* out_welded)
{
    *out_welded = (firn_mesh){0};
    if (weld(mesh, out_welded)) return FIRN_OK;
    firn_mesh_destroy(out_welded);
    return FIRN_BROKEN_MEMORY;
}
