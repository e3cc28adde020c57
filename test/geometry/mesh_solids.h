// SPDX-License-Identifier: MIT
// More closed meshes for tests, and what is done to break them.
#pragma once
#include "meshes.h"

// A box of 12 triangles; the last two are the face at high x.
static inline firn_mesh mesh_cuboid(firn_vec3 low, firn_vec3 high)
{
    static const int32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                         {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                         {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    firn_mesh mesh = {0};
    for (int i = 0; i < 8; i++)
        assert_true(
            firn_mesh_add_vertex(&mesh, firn_v3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y,
                                                i & 4 ? high.z : low.z)));
    for (int i = 0; i < 12; i++)
        assert_true(firn_mesh_add_triangle(&mesh, faces[i][0], faces[i][1], faces[i][2]));
    return mesh;
}

// A ring about the y axis.
static inline firn_mesh mesh_torus(double ring, double tube, int around, int across)
{
    const double pi = 3.14159265358979323846;
    firn_mesh mesh = {0};
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            const double a = 2 * pi * i / around, b = 2 * pi * j / across;
            const double r = ring + tube * cos(b);
            assert_true(
                firn_mesh_add_vertex(&mesh, mesh_point(r * cos(a), tube * sin(b), r * sin(a))));
        }
    for (int32_t i = 0; i < around; i++)
        for (int32_t j = 0; j < across; j++) {
            const int32_t n = (i + 1) % around, m = (j + 1) % across;
            const int32_t a = i * across + j, b = n * across + j, c = n * across + m,
                          d = i * across + m;
            assert_true(firn_mesh_add_triangle(&mesh, a, d, c));
            assert_true(firn_mesh_add_triangle(&mesh, a, c, b));
        }
    return mesh;
}

static inline void mesh_turn(firn_mesh* mesh, firn_local triangle)
{
    int32_t* t = mesh->triangles[triangle];
    const int32_t kept = t[0];
    t[0] = t[1];
    t[1] = kept;
}

static inline void mesh_turn_all(firn_mesh* mesh)
{
    for (firn_local t = 0; t < mesh->triangle_count; t++) mesh_turn(mesh, t);
}
