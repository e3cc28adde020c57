// SPDX-License-Identifier: MIT
// Corner normals: round meshes are smooth, boxes keep their edges, degenerate triangles do
// no harm.
#include "mesh/topology/corner_normals.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/mesh_solids.h"

#define SOFT 0.766  // 40 degrees

static float (*normals_of(const firn_mesh* mesh))[3]
{
    float(*n)[3] = firn_alloc(3 * (size_t)mesh->triangle_count + 1, sizeof *n);
    firn_error error = {0};
    if (n == NULL || firn_mesh_corner_normals(mesh, SOFT, n, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return n;
}

static double along(const float* a, firn_vec3 b)
{
    return (double)a[0] * (double)b.x + (double)a[1] * (double)b.y + (double)a[2] * (double)b.z;
}

// Also where several vertices have the same position, as in STL files.
static void a_ball_is_round(void** state)
{
    (void)state;
    firn_mesh ball = mesh_ball(mesh_point(1, 2, 3), 0.5, 40, 20), loose = {0};
    for (firn_local t = 0; t < ball.triangle_count; t++) {
        for (int k = 0; k < 3; k++)
            assert_true(firn_mesh_add_vertex(&loose, ball.vertices[ball.triangles[t][k]]));
        assert_true(firn_mesh_add_triangle(&loose, 3 * t, 3 * t + 1, 3 * t + 2));
    }
    const firn_mesh* const both[] = {&ball, &loose};
    for (int m = 0; m < 2; m++) {
        float(*n)[3] = normals_of(both[m]);
        for (firn_local c = 0; c < 3 * ball.triangle_count; c++) {
            const firn_vec3 x = both[m]->vertices[both[m]->triangles[c / 3][c % 3]];
            const firn_vec3 out = firn_v3_scale(firn_v3_sub(x, mesh_point(1, 2, 3)), 2);
            // parallel to the radius within 1.8 degrees; neighbouring faces differ by 9
            assert_greater(along(n[c], out), 0.9995);
            // floats: normalised with a few roundings of 6e-8
            assert_near(n[c][0] * n[c][0] + n[c][1] * n[c][1] + n[c][2] * n[c][2], 1, 1e-5);
        }
        firn_free(n);
    }
    firn_mesh_destroy(&ball);
    firn_mesh_destroy(&loose);
}

static void a_box_keeps_its_edges(void** state)
{
    (void)state;
    firn_mesh box = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(1, 2, 3));
    float(*n)[3] = normals_of(&box);
    for (int c = 0; c < 36; c++) {
        int ones = 0;
        for (int i = 0; i < 3; i++) ones += fabsf(n[c][i]) == 1;
        assert_int_equal(ones, 1);
    }
    assert_equal(n[35][0], 1);  // the last face looks along x
    firn_free(n);
    firn_mesh_destroy(&box);
}

static void flat_triangles(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 1, 8, 6);
    const firn_local sound = mesh.triangle_count;
    assert_true(firn_mesh_add_triangle(&mesh, 0, 0, 3));
    float(*n)[3] = normals_of(&mesh);
    // of unit vectors at most sqrt(3): finite, and no longer than a normal
    for (firn_local c = 0; c < 3 * sound; c++) assert_near(along(n[c], mesh_point(1, 1, 1)), 0, 2);
    for (firn_local c = 3 * sound; c < 3 * sound + 3; c++) {
        assert_equal(n[c][0], 0);
        assert_equal(n[c][1], 0);
        assert_equal(n[c][2], 0);
    }
    firn_free(n);
    firn_mesh_destroy(&mesh);
}

static void without_memory(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 1, 8, 6);
    float n[300][3];
    const uint64_t before = firn_memory_read().bytes;
    uint64_t k = 1;
    for (;; k++) {
        firn_memory_fail_at(k, false);
        const firn_result result = firn_mesh_corner_normals(&mesh, SOFT, n, NULL);
        firn_memory_fail_at(0, false);
        assert_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
    }
    assert_greater(k, 4);
    firn_mesh_destroy(&mesh);
}

int test_corner_normals(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_round), cmocka_unit_test(a_box_keeps_its_edges),
        cmocka_unit_test(flat_triangles), cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests_name("corner_normals", tests, NULL, NULL);
}
