// SPDX-License-Identifier: MIT
// Winding numbers by crossings of lines against those by solid angles, for meshes that cut
// themselves, lie inside each other and are inside out; lines along edges and through corners.
#include "mesh/spatial/line_winding.h"

#include "core/memory.h"
#include "geometry/mesh_solids.h"
#include "mesh/spatial/winding.h"
#include "seed.h"

static firn_line_winding* lines_of(const firn_mesh* mesh)
{
    firn_line_winding* w = NULL;
    assert_int_equal(firn_line_winding_create(mesh, &w, NULL), FIRN_OK);
    return w;
}

static int number_at(const firn_line_winding* w, double x, double y, double z)
{
    int number;
    firn_line_winding_number(w, &x, 1, y, z, &number);
    return number;
}

static void as_solid_angles(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 0.5, 30, 15);
    firn_mesh other = mesh_ball(mesh_point(0.3, 0.1, -0.1), 0.4, 21, 13);
    firn_mesh ring = mesh_torus(0.6, 0.2, 24, 12),
              box = mesh_cuboid(mesh_point(-0.9, -0.7, -0.8), mesh_point(0.8, 0.9, 0.7));
    mesh_turn_all(&ring);
    assert_true(firn_mesh_append(&mesh, &other));
    assert_true(firn_mesh_append(&mesh, &ring));
    assert_true(firn_mesh_append(&mesh, &box));
    firn_line_winding* lines = lines_of(&mesh);
    firn_winding* angles = NULL;
    assert_int_equal(firn_winding_create(&mesh, &angles, NULL), FIRN_OK);
    any_source r = any_start(31);
    int seen[5] = {0};  // of the numbers -1 to 3
    for (int k = 0; k < 2000; k++) {
        double x[4];
        int number[4];
        for (int i = 0; i < 4; i++) x[i] = any_between(&r, -1, -0.9) + 0.5 * i;
        const double y = any_between(&r, -1, 1), z = any_between(&r, -1, 1);
        firn_line_winding_number(lines, x, 4, y, z, number);
        for (int i = 0; i < 4; i++) {
            const double expected = firn_winding_number(angles, (const double[3]){x[i], y, z});
            assert_near(number[i], expected, 0.006);  // winding.h promises 0.005
            assert_true(number[i] >= -1 && number[i] <= 3);
            seen[number[i] + 1]++;
        }
    }
    for (int i = 1; i < 5; i++) assert_greater(seen[i], 20);
    firn_winding_destroy(angles);
    firn_line_winding_destroy(lines);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&other);
    firn_mesh_destroy(&ring);
    firn_mesh_destroy(&box);
}

// A box of cubes, whose faces, edges and corners lie on lines: a line that runs along them enters
// as often as it leaves.
static void lines_along_edges(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    for (int n = 0; n < 8; n++) {
        const double at[3] = {0.25 * (n & 1), 0.25 * (n >> 1 & 1), 0.25 * (n >> 2)};
        firn_mesh cube = mesh_cuboid(mesh_point(at[0], at[1], at[2]),
                                     mesh_point(at[0] + 0.25, at[1] + 0.25, at[2] + 0.25));
        assert_true(firn_mesh_append(&mesh, &cube));
        firn_mesh_destroy(&cube);
    }
    firn_mesh ball = mesh_ball(mesh_point(0.25, 0.25, 0.25), 0.125, 8, 4);
    assert_true(firn_mesh_append(&mesh, &ball));
    firn_line_winding* w = lines_of(&mesh);
    for (int j = -1; j <= 17; j++)
        for (int k = -1; k <= 17; k++) {
            const double y = j / 32.0, z = k / 32.0;
            assert_int_equal(number_at(w, 1, y, z), 0);
            assert_int_equal(number_at(w, -1, y, z), 0);
            const bool off = j % 8 != 0 && k % 8 != 0;
            if (off && j > 0 && j < 16 && k > 0 && k < 16)
                assert_int_equal(number_at(w, 0.03, y, z), 1);
        }
    assert_int_equal(number_at(w, 0.251, 0.251, 0.251), 2);
    firn_line_winding_destroy(w);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&ball);
}

// Slivers as long as the mesh do not fill memory.
static void slivers(void** state)
{
    (void)state;
    const int count = 4000;
    firn_mesh mesh = {0};
    for (int i = 0; i < count; i++)
        for (int end = 0; end < 2; end++) {
            const double a = 6.283185307179586 * i / count;
            assert_true(firn_mesh_add_vertex(&mesh, mesh_point(cos(a), end ? 1 : -1, sin(a))));
        }
    for (int32_t i = 0; i < count; i++) {
        const int32_t a = 2 * i, b = 2 * ((i + 1) % count);
        assert_true(firn_mesh_add_triangle(&mesh, a, a + 1, b));
        assert_true(firn_mesh_add_triangle(&mesh, b, a + 1, b + 1));
    }
    const uint64_t before = firn_memory_read().bytes;
    firn_line_winding* w = lines_of(&mesh);
    // 16 numbers of triangles each, and the lists' beginnings
    assert_less(firn_memory_read().bytes - before, (uint64_t)100 * (uint64_t)mesh.triangle_count);
    assert_int_equal(number_at(w, 0.5, 0.3, 0.2), 1);
    assert_int_equal(number_at(w, -0.99, 0.3, 0.2), 0);
    firn_line_winding_destroy(w);
    firn_mesh_destroy(&mesh);
}

static void out_of_memory(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 1, 20, 10);
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++, failures++) {
        firn_line_winding* w = NULL;
        firn_error error = {0};
        firn_memory_fail_at(k, false);
        const firn_result result = firn_line_winding_create(&mesh, &w, &error);
        firn_memory_fail_at(0, false);
        firn_line_winding_destroy(w);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_contains(error.text, "triangles");
    }
    assert_int_equal(failures, 3);
    firn_mesh_destroy(&mesh);
}

int test_line_winding(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_solid_angles),
        cmocka_unit_test(lines_along_edges),
        cmocka_unit_test(slivers),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("line_winding", tests, NULL, NULL);
}
