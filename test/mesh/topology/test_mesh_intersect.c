// SPDX-License-Identifier: MIT
// Pairs of triangles that cut: the tree finds what trying all pairs finds.
#include "mesh/topology/mesh_intersect.h"

#include "core/memory.h"
#include "mesh/solids.h"
#include "mesh/topology/triangle_pair.h"
#include "seed.h"

static firn_local count_all_pairs(const firn_mesh* mesh)
{
    firn_local count = 0;
    for (firn_local a = 0; a < mesh->triangle_count; a++)
        for (firn_local b = a + 1; b < mesh->triangle_count; b++)
            count += firn_triangles_cut(mesh->vertices, mesh->triangles[a], mesh->triangles[b]);
    return count;
}

static firn_local count(const firn_mesh* mesh)
{
    firn_local cuts = -1;
    assert_int_equal(firn_mesh_count_cuts(mesh, &cuts), FIRN_OK);
    return cuts;
}

// Triangles of all sizes, many far away, more than one leaf in every number of leaves.
static void the_tree_misses_nothing(void** state)
{
    (void)state;
    any_source r = any_start(408);
    int64_t total = 0;
    for (int n = 0; n < 56; n++) {
        firn_mesh mesh = {0};
        for (int32_t k = 0; k < n * n / 20; k++) {
            const double size = any_between(&r, 0.01, 1) * any_between(&r, 0.01, 1);
            const firn_vec3 at = any_vec3(&r, k % 7 == 0 ? 20 : 0.5);
            for (int i = 0; i < 3; i++)
                assert_true(firn_mesh_add_vertex(&mesh, firn_v3_add(at, any_vec3(&r, size))));
            assert_true(firn_mesh_add_triangle(&mesh, 3 * k, 3 * k + 1, 3 * k + 2));
        }
        const firn_local cuts = count(&mesh);
        assert_int_equal(cuts, count_all_pairs(&mesh));
        total += cuts;
        firn_mesh_destroy(&mesh);
    }
    print_message("%lld pairs\n", (long long)total);
    assert_greater(total, 100);
}

// In a plane all boxes are without thickness; at one place even the order along the curve is none.
static void without_extent(void** state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        firn_mesh mesh = {0};
        for (int32_t k = 0; k < 50; k++) {
            for (int i = 0; i < 3; i++) {
                double x[3] = {0};
                x[axis] = 5;
                x[(axis + 1) % 3] = k * 0.5 + (i == 1);
                x[(axis + 2) % 3] = i == 2;
                add_vertex(&mesh, x[0], x[1], x[2]);
            }
            assert_true(firn_mesh_add_triangle(&mesh, 3 * k, 3 * k + 1, 3 * k + 2));
        }
        assert_int_equal(count(&mesh), 49);  // each overlaps the next
        firn_mesh_destroy(&mesh);
    }
    firn_mesh heap = {0};
    for (int i = 0; i < 3; i++) add_vertex(&heap, i == 1, i == 2, 3);
    for (int k = 0; k < 30; k++) assert_true(firn_mesh_add_triangle(&heap, 0, 1, 2));
    assert_int_equal(count(&heap), 30 * 29 / 2);
    for (int k = 0; k < 30; k++) assert_true(firn_mesh_add_triangle(&heap, 0, 1, 1));  // flat
    assert_int_equal(count(&heap), 30 * 29 / 2);
    for (int k = 0; k < 1470; k++) assert_true(firn_mesh_add_triangle(&heap, 0, 1, 2));
    assert_int_equal(count(&heap), FIRN_MESH_CUTS_MAX);  // 1500 * 1499 / 2 are more
    firn_mesh_destroy(&heap);
    assert_int_equal(count(&heap), 0);
}

int test_mesh_intersect(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_tree_misses_nothing),
                                       cmocka_unit_test(without_extent)};
    return cmocka_run_group_tests_name("mesh_intersect", tests, NULL, NULL);
}
