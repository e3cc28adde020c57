// SPDX-License-Identifier: MIT
// The nearest triangle, against a look at all of them; ties go to the smaller number, whatever the
// guess; memory that fails.
#include "mesh/spatial/triangle_tree.h"

#include "core/memory.h"
#include "geometry/meshes.h"
#include "mesh/solids.h"
#include "seed.h"

static firn_nearest look_at_all(const firn_mesh* mesh, firn_vec3 x, int32_t* out_triangle)
{
    firn_nearest best = {.distance2 = INFINITY};
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const int32_t* c = mesh->triangles[t];
        const firn_nearest at = firn_nearest_on_triangle(
            x, mesh->vertices[c[0]], mesh->vertices[c[1]], mesh->vertices[c[2]]);
        if (!(at.distance2 < best.distance2)) continue;
        best = at;
        *out_triangle = t;
    }
    return best;
}

static void as_all_of_them(void** state)
{
    (void)state;
    any_source r = any_start(61);
    for (int q = 0; q < 6; q++) {
        firn_mesh mesh = mesh_ball(mesh_point(0, 1, 0), 0.5, 3 + 9 * q, 2 + 5 * q);
        // far and near points, and vertices, where several triangles are equally near
        firn_triangle_tree* tree = NULL;
        assert_int_equal(firn_triangle_tree_create(&mesh, &tree, NULL), FIRN_OK);
        int32_t last = -1;
        for (int n = 0; n < 400; n++) {
            firn_vec3 x = any_vec3(&r, n % 2 ? 2 : 0.7);
            x.y += 1;
            if (n % 5 == 0) x = mesh.vertices[any_below(&r, mesh.vertex_count)];
            int32_t want = -1, found = -1;
            const firn_nearest a = look_at_all(&mesh, x, &want);
            const firn_nearest b =
                firn_triangle_tree_nearest(tree, x,
                                           n % 3 == 0   ? -1
                                           : n % 3 == 1 ? last
                                                        : any_below(&r, mesh.triangle_count),
                                           &found);
            assert_int_equal(found, want);
            assert_memory_equal(&a, &b, sizeof a);
            last = found;
        }
        firn_triangle_tree_destroy(tree);
        firn_mesh_destroy(&mesh);
    }
    firn_triangle_tree_destroy(NULL);
}

static void no_memory(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 1, 12, 8);
    firn_error error;
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_triangle_tree* tree = NULL;
        firn_memory_fail_at(k, false);
        const firn_result r = firn_triangle_tree_create(&mesh, &tree, &error);
        firn_memory_fail_at(0, false);
        if (r == FIRN_OK) {
            firn_triangle_tree_destroy(tree);
            break;
        }
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
        assert_contains(error.text, "triangles");
        failures++;
    }
    assert_at_least(failures, 3);
    firn_mesh_destroy(&mesh);
}

int test_triangle_tree(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_all_of_them),
                                       cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests_name("triangle_tree", tests, NULL, NULL);
}
