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

// A triangle of a ball about the origin, split into 4^splits. Corners are repeated, as in STL.
static inline void mesh_add_facets(firn_mesh* mesh, double radius, int splits, firn_vec3 a,
                                   firn_vec3 b, firn_vec3 c)
{
    if (splits > 0) {
        const firn_vec3 ab = firn_v3_normalize(firn_v3_add(a, b), a),
                        bc = firn_v3_normalize(firn_v3_add(b, c), b),
                        ca = firn_v3_normalize(firn_v3_add(c, a), c);
        mesh_add_facets(mesh, radius, splits - 1, a, ab, ca);
        mesh_add_facets(mesh, radius, splits - 1, ab, b, bc);
        mesh_add_facets(mesh, radius, splits - 1, ca, bc, c);
        mesh_add_facets(mesh, radius, splits - 1, ab, bc, ca);
        return;
    }
    const int32_t first = mesh->vertex_count;
    const firn_vec3 corner[3] = {a, b, c};
    for (int k = 0; k < 3; k++)
        assert_true(firn_mesh_add_vertex(mesh, firn_v3_scale(corner[k], (firn_real)radius)));
    assert_true(firn_mesh_add_triangle(mesh, first, first + 1, first + 2));
}

// An icosahedron whose faces are split: 20 4^splits triangles with their corners on the sphere.
static inline firn_mesh mesh_icosphere(double radius, int splits)
{
    static const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double g = (1 + sqrt(5)) / 2;
    const double at[12][3] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                              {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                              {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
    firn_vec3 corner[12];
    for (int k = 0; k < 12; k++)
        corner[k] = firn_v3_normalize(mesh_point(at[k][0], at[k][1], at[k][2]), firn_v3(0, 1, 0));
    firn_mesh mesh = {0};
    for (int f = 0; f < 20; f++)
        mesh_add_facets(&mesh, radius, splits, corner[faces[f][0]], corner[faces[f][1]],
                        corner[faces[f][2]]);
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
