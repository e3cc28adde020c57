// SPDX-License-Identifier: MIT
// Welding: one vertex per position, in the order of their first appearance.
#include "mesh/topology/weld.h"

#include "core/memory.h"
#include "seed.h"

static void places_of_a_lattice(void** state)
{
    (void)state;
    any_source r = any_start(407);
    firn_mesh mesh = {0};
    firn_welder welder = {0};
    for (int q = 0; q < 20000; q++) {
        const firn_vec3 x = firn_v3((firn_real)any_below(&r, 12) / 8, (firn_real)any_below(&r, 12),
                                    (firn_real)-any_below(&r, 12));
        const firn_local before = mesh.vertex_count;
        int32_t v = -1;
        assert_true(firn_welder_add(&welder, &mesh, x, &v));
        assert_at_least(v, 0);
        assert_at_most(v, before);
        assert_at_most(mesh.vertex_count, before + 1);
        assert_true(v < before || mesh.vertex_count == before + 1);
        assert_equal(mesh.vertices[v].x, x.x);
        assert_equal(mesh.vertices[v].y, x.y);
        assert_equal(mesh.vertices[v].z, x.z);
    }
    assert_int_equal(mesh.vertex_count, 12 * 12 * 12);  // all were met: 20000 draws of 1728
    firn_welder_destroy(&welder);
    firn_mesh_destroy(&mesh);
}

static void zeros_of_both_signs_are_one_place(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    firn_welder welder = {0};
    int32_t a, b, c;
    const firn_real zero = 0;
    assert_true(firn_welder_add(&welder, &mesh, firn_v3(0, 1, 0), &a));
    assert_true(firn_welder_add(&welder, &mesh, firn_v3(-zero, 1, -zero), &b));
    assert_true(firn_welder_add(&welder, &mesh, firn_v3(FIRN_REAL_TINY, 1, 0), &c));
    assert_int_equal(a, b);
    assert_int_not_equal(a, c);  // near is not the same
    firn_welder_destroy(&welder);
    firn_mesh_destroy(&mesh);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_mesh mesh = {0};
    firn_welder welder = {0};
    int32_t v = 77;
    for (int k = 0; k < 2; k++) {  // the table, the mesh
        firn_memory_fail_at(1, false);
        assert_false(firn_welder_add(&welder, &mesh, firn_v3(1, 2, 3), &v));
        firn_memory_fail_at(0, false);
        assert_int_equal(mesh.vertex_count, 0);
    }
    for (int i = 0; i < 32; i++)
        assert_true(firn_welder_add(&welder, &mesh, firn_v3((firn_real)i, 2, 3), &v));
    firn_memory_fail_at(1, false);  // when the table must grow: it stays as it was
    assert_false(firn_welder_add(&welder, &mesh, firn_v3(99, 2, 3), &v));
    firn_memory_fail_at(0, false);
    assert_true(firn_welder_add(&welder, &mesh, firn_v3(31, 2, 3), &v));
    assert_int_equal(v, 31);
    assert_int_equal(mesh.vertex_count, 32);
    firn_welder_destroy(&welder);
    firn_mesh_destroy(&mesh);
    assert_equal(firn_memory_read().bytes, before);
}

int test_weld(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_of_a_lattice),
                                       cmocka_unit_test(zeros_of_both_signs_are_one_place),
                                       cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests_name("weld", tests, NULL, NULL);
}
