// SPDX-License-Identifier: MIT
// Nearest triangles at all nodes of a grid, against a search for each; memory that fails.
#include "mesh/spatial/nearest_grid.h"

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/mesh_solids.h"
#include "mesh/spatial/triangle_tree.h"
#include "seed.h"

// Farther away than `near`, a node takes the best triangle that the 26 nodes around it have. One of
// them lies within half a spacing of the way to the nearest triangle.
#define FARTHER 0.5  // [spacings]

static size_t count_of(const firn_nearest_grid* g)
{
    return (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2];
}

// Two balls of unlike triangles, and a hollow between them.
static firn_mesh two_balls(void)
{
    firn_mesh mesh = mesh_ball(mesh_point(-0.3, 0, 0), 0.35, 26, 13);
    firn_mesh other = mesh_ball(mesh_point(0.4, 0.2, -0.1), 0.25, 9, 7);
    assert_true(firn_mesh_append(&mesh, &other));
    firn_mesh_destroy(&other);
    return mesh;
}

static firn_nearest_grid grid_around(double spacing, double near, int beyond)
{
    const double low[3] = {-0.65, -0.35, -0.35}, high[3] = {0.65, 0.45, 0.35};
    firn_nearest_grid g = {.spacing = (firn_real)spacing, .near = (firn_real)(near * spacing)};
    for (int i = 0; i < 3; i++)
        g.size[i] = (int32_t)((high[i] - low[i]) / spacing) + 2 + 2 * beyond;
    g.origin =
        mesh_point(low[0] - beyond * spacing, low[1] - beyond * spacing, low[2] - beyond * spacing);
    return g;
}

static double distance_of(const firn_mesh* mesh, int32_t t, firn_vec3 x)
{
    const int32_t* c = mesh->triangles[t];
    return sqrt(firn_nearest_on_triangle(x, mesh->vertices[c[0]], mesh->vertices[c[1]],
                                         mesh->vertices[c[2]])
                    .distance2);
}

static void as_a_search_for_each(void** state)
{
    (void)state;
    firn_mesh mesh = two_balls();
    firn_triangle_tree* tree;
    assert_int_equal(firn_triangle_tree_create(&mesh, &tree, NULL), FIRN_OK);
    const double spacings[] = {0.05, 0.031, 0.09}, near[] = {3, 1.5, 2};
    for (int q = 0; q < 3; q++) {
        const firn_nearest_grid g = grid_around(spacings[q], near[q], 2 + 3 * q);
        int32_t* found = firn_alloc(count_of(&g), sizeof *found);
        assert_int_equal(firn_nearest_on_grid(&mesh, &g, found, NULL), FIRN_OK);
        double worst = 0;
        int exact = 0, far = 0;
        for (int32_t n = 0; n < (int32_t)count_of(&g); n++) {
            const firn_vec3 steps =
                mesh_point(n % g.size[0], n / g.size[0] % g.size[1], n / g.size[0] / g.size[1]);
            const firn_vec3 x = firn_v3_madd(g.origin, g.spacing, steps);
            int32_t nearest = -1;
            const double d = sqrt(firn_triangle_tree_nearest(tree, x, -1, &nearest).distance2);
            if (d <= (double)g.near) {
                assert_int_equal(found[n], nearest);
                exact++;
                continue;
            }
            assert_in_range(found[n], 0, mesh.triangle_count - 1);
            worst = fmax(worst, (distance_of(&mesh, found[n], x) - d) / (double)g.spacing);
            far++;
        }
        print_message("%d exact, %d farther away: at most %g spacings too far\n", exact, far,
                      worst);
        assert_greater(exact, 300);
        assert_greater(far, 300);
        assert_less(worst, FARTHER);
        firn_free(found);
    }
    firn_triangle_tree_destroy(tree);
    firn_mesh_destroy(&mesh);
}

static void threads_do_not_show(void** state)
{
    (void)state;
    firn_mesh mesh = two_balls();
    const firn_nearest_grid g = grid_around(0.04, 1, 5);
    const size_t bytes = count_of(&g) * sizeof(int32_t);
    int32_t *alone = firn_alloc(bytes, 1), *shared = firn_alloc(bytes, 1);
    assert_int_equal(firn_nearest_on_grid(&mesh, &g, alone, NULL), FIRN_OK);
    for (int threads = 2; threads < 8; threads += 5) {
        firn_team* team = firn_team_create(threads);
        firn_team* before = firn_team_use(team);
        assert_int_equal(firn_nearest_on_grid(&mesh, &g, shared, NULL), FIRN_OK);
        firn_team_use(before);
        firn_team_destroy(team);
        assert_memory_equal(shared, alone, bytes);
    }
    firn_free(alone);
    firn_free(shared);
    firn_mesh_destroy(&mesh);
}

static void no_surface_and_no_memory(void** state)
{
    (void)state;
    firn_mesh mesh = two_balls();
    firn_nearest_grid g = grid_around(0.1, 1, 1);
    int32_t* found = firn_alloc(count_of(&g), sizeof *found);
    g.origin.x += 100;
    assert_int_equal(firn_nearest_on_grid(&mesh, &g, found, NULL), FIRN_OK);
    for (size_t n = 0; n < count_of(&g); n++) assert_int_equal(found[n], -1);
    g.origin.x -= 100;
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_error error = {0};
        firn_memory_fail_at(k, false);
        const firn_result result = firn_nearest_on_grid(&mesh, &g, found, &error);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_contains(error.text, "triangles");
        failures++;
    }
    assert_at_least(failures, 3);
    firn_free(found);
    firn_mesh_destroy(&mesh);
}

int test_nearest_grid(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_search_for_each),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(no_surface_and_no_memory),
    };
    return cmocka_run_group_tests_name("nearest_grid", tests, NULL, NULL);
}
