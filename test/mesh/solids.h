// SPDX-License-Identifier: MIT
// Meshes for tests, built in place.
#pragma once
#include "firn_test.h"
#include "mesh/mesh.h"

static inline void add_quad(firn_mesh* mesh, int32_t a, int32_t b, int32_t c, int32_t d)
{
    assert_true(firn_mesh_add_triangle(mesh, a, b, c));
    assert_true(firn_mesh_add_triangle(mesh, a, c, d));
}

static inline void add_vertex(firn_mesh* mesh, double x, double y, double z)
{
    assert_true(firn_mesh_add_vertex(mesh, firn_v3((firn_real)x, (firn_real)y, (firn_real)z)));
}

// A box between two corners, outward: 8 vertices, 12 triangles, the first two below (z low), then
// above, front (y low), back, left (x low), right.
static inline void add_box(firn_mesh* mesh, double x0, double y0, double z0, double x1, double y1,
                           double z1)
{
    const int32_t v = mesh->vertex_count;
    for (int i = 0; i < 8; i++) add_vertex(mesh, i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0);
    add_quad(mesh, v, v + 2, v + 3, v + 1);
    add_quad(mesh, v + 4, v + 5, v + 7, v + 6);
    add_quad(mesh, v, v + 1, v + 5, v + 4);
    add_quad(mesh, v + 2, v + 6, v + 7, v + 3);
    add_quad(mesh, v, v + 4, v + 6, v + 2);
    add_quad(mesh, v + 1, v + 3, v + 7, v + 5);
}

static inline void flip(firn_mesh* mesh, firn_local triangle)
{
    int32_t* t = mesh->triangles[triangle];
    const int32_t kept = t[1];
    t[1] = t[2];
    t[2] = kept;
}
