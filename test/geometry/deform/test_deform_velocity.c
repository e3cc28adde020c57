// SPDX-License-Identifier: MIT
// Velocities of key frames: derivatives of uneven paths, the nearest point of a surface against a
// search over all of it, known motions.
#include "geometry/deform/deform_velocity.h"

#include "core/memory.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/meshes.h"
#include "mesh/solids.h"
#include "mesh/spatial/nearest_triangle.h"
#include "seed.h"
#include "team_use.h"

#ifdef FIRN_DOUBLE
#define ROUNDING 1e-13
#else
#define ROUNDING 2e-6
#endif

static const firn_box3 nowhere = {{1, 1, 1}, {0, 0, 0}};

static void weights_are_second_order(void** state)
{
    (void)state;
    any_source r = any_start(91);
    for (int q = 0; q < 100; q++) {
        const double a = any_between(&r, 0.01, 1), b = any_between(&r, 0.01, 1);
        const double c0 = any_between(&r, -1, 1), c1 = any_between(&r, -1, 1);
        const double c2 = any_between(&r, -1, 1);
        const firn_deform_weights w = firn_deform_weigh(a, b);  // exact for c0 + c1 t + c2 t^2
        const double rate = w.before * (c0 - c1 * a + c2 * a * a) + w.here * c0 +
                            w.after * (c0 + c1 * b + c2 * b * b);
        assert_near(rate, c1, 1e-10);  // roundings of double, over intervals of 0.01 and more
    }
    const firn_deform_weights first = firn_deform_weigh(0, 0.5), last = firn_deform_weigh(0.25, 0);
    assert_equal(first.before, 0);
    assert_equal(first.here, -2);
    assert_equal(first.after, 2);
    assert_equal(last.before, -4);
    assert_equal(last.here, 4);
    assert_equal(last.after, 0);
    const firn_deform_weights alone = firn_deform_weigh(0, 0);
    assert_equal(alone.before, 0);
    assert_equal(alone.here, 0);
    assert_equal(alone.after, 0);
}

// Against points of the triangle all over it.
static void nearest_point_of_a_triangle(void** state)
{
    (void)state;
    any_source r = any_start(92);
    for (int q = 0; q < 300; q++) {
        const firn_vec3 a = any_vec3(&r, 1), b = any_vec3(&r, 1);
        firn_vec3 c = any_vec3(&r, 1);
        if (q % 10 == 0) c = b;                                                     // a line
        if (q % 10 == 1) c = firn_v3_madd(a, (firn_real)0.25, firn_v3_sub(b, a));   // and another
        const firn_vec3 corner[3] = {a, q % 10 == 2 ? a : b, q % 10 == 2 ? a : c};  // and a point
        const firn_vec3 x = any_vec3(&r, 2);
        const firn_nearest near = firn_nearest_on_triangle(x, corner[0], corner[1], corner[2]);
        double sum = 0, best = 1e9;  // weights are doubles; long thin triangles lose digits
        firn_vec3 foot = {0, 0, 0};
        for (int i = 0; i < 3; i++) {
            assert_at_least(near.weight[i], 0);
            assert_at_most(near.weight[i], 1 + 1e-9);
            sum += near.weight[i];
            foot = firn_v3_madd(foot, (firn_real)near.weight[i], corner[i]);
        }
        assert_near(sum, 1, 1e-9);
        const double found = sqrt(near.distance2);
        assert_near(firn_v3_length(firn_v3_sub(x, foot)), found, 10 * ROUNDING);
        enum { N = 60 };
        for (int i = 0; i <= N; i++)
            for (int j = 0; i + j <= N; j++) {
                firn_vec3 p = firn_v3_scale(corner[0], (firn_real)i / N);
                p = firn_v3_madd(p, (firn_real)j / N, corner[1]);
                p = firn_v3_madd(p, (firn_real)(N - i - j) / N, corner[2]);
                best = fmin(best, (double)firn_v3_length(firn_v3_sub(x, p)));
            }
        assert_less(found, best + 10 * ROUNDING);
        assert_greater(found, best - 4.0 / N);
    }
}

static void move_mesh(firn_mesh* mesh, firn_vec3 by)
{
    for (firn_local v = 0; v < mesh->vertex_count; v++)
        mesh->vertices[v] = firn_v3_add(mesh->vertices[v], by);
}

static void translation_is_exact(void** state)
{
    (void)state;
    const firn_vec3 v = {2, (firn_real)-0.5, 1};
    const double dt = 1. / 24;
    firn_mesh mesh[3];
    firn_box3 boxes[3];
    for (int i = 0; i < 3; i++) {
        mesh[i] = mesh_ball(mesh_point(0, 1, 0), 0.5, 12, 8);
        move_mesh(&mesh[i], firn_v3_scale(v, (firn_real)((i - 1) * dt)));
        boxes[i] = firn_mesh_bounds(&mesh[i]);
        assert_true(firn_deform_same_points(&mesh[0], &mesh[i]));
    }
    for (int q = 0; q < 3; q++) {  // both sides, one, the other
        const firn_mesh* before = q == 1 ? NULL : &mesh[0];
        const firn_mesh* after = q == 2 ? NULL : &mesh[2];
        const firn_deform_weights w = firn_deform_weigh(before ? dt : 0, after ? dt : 0);
        firn_velocity_grid grid;
        assert_int_equal(firn_deform_grid(boxes, (firn_real)0.02, &grid, NULL), FIRN_OK);
        assert_int_equal(firn_deform_from_points(before, &mesh[1], after, w, &grid, NULL), FIRN_OK);
        // positions are rounded, their difference over dt is the velocity
        for (int64_t n = 0; n < firn_velocity_grid_count(&grid); n++)
            assert_less(firn_v3_length(firn_v3_sub(grid.value[n], v)), 50 * ROUNDING);
        // covers the bodies of all three keys
        const firn_vec3 first = firn_velocity_grid_node(&grid, 0);
        const firn_vec3 last = firn_velocity_grid_node(&grid, firn_velocity_grid_count(&grid) - 1);
        for (int i = 0; i < 3; i++) {
            assert_less(first.x, boxes[i].low.x);
            assert_greater(last.x, boxes[i].high.x);
            assert_less(first.y, boxes[i].low.y);
            assert_greater(last.y, boxes[i].high.y);
            assert_less(first.z, boxes[i].low.z);
            assert_greater(last.z, boxes[i].high.z);
        }
        firn_velocity_grid_destroy(&grid);
    }
    for (int i = 0; i < 3; i++) firn_mesh_destroy(&mesh[i]);
}

// Distance to the surface, and to the nearest triangle that would give the node this velocity.
static void find_nearest(const firn_mesh* here, const firn_mesh* after, firn_vec3 x,
                         firn_vec3 found, double* out_best, double* out_own)
{
    *out_best = *out_own = INFINITY;
    for (firn_local t = 0; t < here->triangle_count; t++) {
        const int32_t* c = here->triangles[t];
        const firn_vec3* p = here->vertices;
        const firn_nearest near = firn_nearest_on_triangle(x, p[c[0]], p[c[1]], p[c[2]]);
        firn_vec3 v = {0, 0, 0};
        for (int i = 0; i < 3; i++) {
            const firn_vec3 step = firn_v3_sub(after->vertices[c[i]], p[c[i]]);
            v = firn_v3_madd(v, (firn_real)(10 * near.weight[i]), step);
        }
        const double distance = sqrt(near.distance2);
        *out_best = fmin(*out_best, distance);
        if ((double)firn_v3_length(firn_v3_sub(v, found)) < 100 * ROUNDING)
            *out_own = fmin(*out_own, distance);
    }
}

// Every vertex has a velocity of its own: each node's is that of the point that a search over all
// triangles finds.
static void nodes_move_with_the_nearest_point(void** state)
{
    (void)state;
    any_source r = any_start(93);
    firn_mesh here = mesh_ball(mesh_point(0, 0, 0), 0.5, 10, 7);
    add_box(&here, 0.8, -0.1, -0.1, 1.9, 0.2, 0.3);  // long triangles
    firn_mesh after = {0};
    assert_int_equal(firn_mesh_copy(&here, &after), FIRN_OK);
    for (firn_local v = 0; v < after.vertex_count; v++)
        after.vertices[v] = firn_v3_add(after.vertices[v], any_vec3(&r, 0.1));
    const firn_box3 boxes[3] = {nowhere, firn_mesh_bounds(&here), firn_mesh_bounds(&after)};
    firn_velocity_grid grid;
    assert_int_equal(firn_deform_grid(boxes, (firn_real)0.03, &grid, NULL), FIRN_OK);
    assert_int_equal(
        firn_deform_from_points(NULL, &here, &after, firn_deform_weigh(0, 0.1), &grid, NULL),
        FIRN_OK);
    const int64_t count = firn_velocity_grid_count(&grid);
    for (int64_t n = 0; n < count; n++) {
        double best, own;
        find_nearest(&here, &after, firn_velocity_grid_node(&grid, n), grid.value[n], &best, &own);
        // as near as any other triangle; where a triangle is nearest to this node alone, none of
        // its neighbours hands it on
        assert_less(own, best + 0.02 * (double)grid.voxel);
    }
    firn_velocity_grid_destroy(&grid);
    firn_mesh_destroy(&here);
    firn_mesh_destroy(&after);
}

static void other_points_are_told_apart(void** state)
{
    (void)state;
    firn_mesh a = mesh_ball(mesh_point(0, 0, 0), 1, 10, 7),
              b = mesh_ball(mesh_point(0, 0, 0), 1, 10, 7);
    firn_mesh c = mesh_ball(mesh_point(0, 0, 0), 1, 7, 10);
    assert_true(firn_deform_same_points(&a, &b));
    assert_false(firn_deform_same_points(&a, &c));
    const int32_t first = b.triangles[5][0];
    b.triangles[5][0] = b.triangles[5][1];
    b.triangles[5][1] = first;
    assert_false(firn_deform_same_points(&a, &b));
    firn_mesh_destroy(&a);
    firn_mesh_destroy(&b);
    firn_mesh_destroy(&c);
}

// Spheres about the origin: growth is all that can be seen, and it is along the normal.
static firn_real ball_phi(const void* radius, firn_vec3 x)
{
    return firn_v3_length(x) - (firn_real) * (const double*)radius;
}

static void growth_is_along_the_normal(void** state)
{
    (void)state;
    const double radius[3] = {0.94, 1, 1.06}, dt = 0.1;
    const firn_box3 box = {{-2, -2, -2}, {2, 2, 2}};
    const firn_level_set* set[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(firn_level_set_build(box, (firn_real)0.05, (firn_real)0.4, ball_phi,
                                              &radius[i], &set[i], NULL),
                         FIRN_OK);
    const firn_box3 boxes[3] = {set[0]->bounds, set[1]->bounds, set[2]->bounds};
    firn_velocity_grid grid;
    assert_int_equal(firn_deform_grid(boxes, (firn_real)0.05, &grid, NULL), FIRN_OK);
    firn_deform_from_distances(set[0], set[1], set[2], firn_deform_weigh(dt, dt), &grid);
    any_source r = any_start(94);
    for (int q = 0; q < 500; q++) {
        const firn_vec3 x = any_vec3(&r, 1.2);
        const double l = (double)firn_v3_length(x);
        if (l < 0.5 || l > 1.4) continue;  // where the normal turns quickly; beyond the grid
        const firn_vec3 v = firn_velocity_grid_sample(&grid, x);
        // 0.6 m/s outwards; velocities are on a grid of 0.1 m, distances on one of 0.05 m
        const firn_vec3 right = firn_v3_scale(x, (firn_real)(0.6 / l));
        assert_less(firn_v3_length(firn_v3_sub(v, right)), 0.03);
    }
    firn_velocity_grid_destroy(&grid);
    for (int i = 0; i < 3; i++) firn_level_set_release(set[i]);
}

static void no_memory(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    const firn_box3 boxes[3] = {nowhere, firn_mesh_bounds(&mesh), nowhere};
    firn_velocity_grid grid;
    firn_error error;
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_deform_grid(boxes, (firn_real)0.1, &grid, &error), FIRN_BROKEN_MEMORY);
    assert_null(grid.value);
    assert_int_equal(firn_deform_grid(boxes, (firn_real)0.1, &grid, &error), FIRN_OK);
    for (uint64_t k = 1; k <= 4; k++) {
        firn_memory_fail_at(k, false);
        assert_int_equal(
            firn_deform_from_points(NULL, &mesh, NULL, firn_deform_weigh(0, 0), &grid, &error),
            FIRN_BROKEN_MEMORY);
    }
    firn_memory_fail_at(0, false);
    firn_velocity_grid_destroy(&grid);
    firn_mesh_destroy(&mesh);
}

// Layer by layer, each the mean of the one before: the same on any team, and the only value that is
// known spreads everywhere.
static void unknown_nodes_are_extrapolated(void** state)
{
    (void)state;
    enum { SIDE = 40, NODES = SIDE * SIDE * SIDE };
    firn_vec3* value = firn_alloc(2 * (size_t)NODES, sizeof *value);
    uint8_t* known = firn_alloc(NODES, 1);
    firn_velocity_grid grid = {.voxel = 1, .size = {SIDE, SIDE, SIDE}, .value = value};
    assert_false(firn_deform_fill(&grid, known));  // none to begin with
    for (int threads = 1; threads <= 7; threads += 3) {
        use_team(threads);
        any_source r = any_start(97);
        for (int n = 0; n < NODES; n++) {
            value[n] = any_vec3(&r, 1);
            known[n] = n % 997 == 0;
        }
        assert_true(firn_deform_fill(&grid, known));
        use_team(0);
        for (int n = 0; n < NODES; n++) assert_not_equal(known[n], 0);
        if (threads == 1)
            for (int n = 0; n < NODES; n++) value[NODES + n] = value[n];
        assert_memory_equal(value, value + NODES, NODES * sizeof *value);
    }
    for (int n = 0; n < NODES; n++) known[n] = n == 0;
    value[0] = firn_v3(1, 2, -3);
    assert_true(firn_deform_fill(&grid, known));
    for (int n = 0; n < NODES; n++) {  // 1 / 3 is rounded in every layer
        assert_near((double)value[n].x, 1, 120 * ROUNDING);
        assert_near((double)value[n].z, -3, 360 * ROUNDING);
    }
    firn_free(value);
    firn_free(known);
}

int test_deform_velocity(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(weights_are_second_order),
                                       cmocka_unit_test(nearest_point_of_a_triangle),
                                       cmocka_unit_test(translation_is_exact),
                                       cmocka_unit_test(nodes_move_with_the_nearest_point),
                                       cmocka_unit_test(other_points_are_told_apart),
                                       cmocka_unit_test(growth_is_along_the_normal),
                                       cmocka_unit_test(unknown_nodes_are_extrapolated),
                                       cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests_name("deform_velocity", tests, NULL, NULL);
}
