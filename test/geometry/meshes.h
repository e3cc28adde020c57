// SPDX-License-Identifier: MIT
// Small closed meshes for tests.
#pragma once
#include <math.h>

#include "firn_test.h"
#include "mesh/mesh.h"

static inline firn_vec3 mesh_point(double x, double y, double z)
{
    return firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
}

// A ball by longitude and latitude: `around` by `down` faces.
static inline firn_mesh mesh_ball(firn_vec3 center, double radius, int around, int down)
{
    const double pi = 3.14159265358979323846;
    firn_mesh mesh = {0};
    assert_true(firn_mesh_add_vertex(&mesh, firn_v3_add(center, mesh_point(0, radius, 0))));
    for (int j = 1; j < down; j++)
        for (int i = 0; i < around; i++) {
            const double a = 2 * pi * i / around, b = pi * j / down;
            const firn_vec3 x =
                mesh_point(radius * sin(b) * cos(a), radius * cos(b), radius * sin(b) * sin(a));
            assert_true(firn_mesh_add_vertex(&mesh, firn_v3_add(center, x)));
        }
    assert_true(firn_mesh_add_vertex(&mesh, firn_v3_add(center, mesh_point(0, -radius, 0))));
    const int32_t south = mesh.vertex_count - 1;
    for (int i = 0; i < around; i++) {
        const int32_t next = (i + 1) % around, last = (down - 2) * around;
        assert_true(firn_mesh_add_triangle(&mesh, 0, 1 + next, 1 + i));
        assert_true(firn_mesh_add_triangle(&mesh, south, 1 + last + i, 1 + last + next));
        for (int j = 0; j + 2 < down; j++) {
            const int32_t a = 1 + j * around + i, b = 1 + j * around + next;
            assert_true(firn_mesh_add_triangle(&mesh, a, b, b + around));
            assert_true(firn_mesh_add_triangle(&mesh, a, b + around, a + around));
        }
    }
    return mesh;
}
