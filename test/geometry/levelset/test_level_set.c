// SPDX-License-Identifier: MIT
// Holding level sets: bounds, volume, as shapes, what is refused, sharing, memory, threads.
#include "geometry/levelset/level_set.h"

#include <string.h>

#include "core/memory.h"
#include "geometry/level_set_ball.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/sampling/seeding.h"
#include "team_use.h"

static void bounds_and_volume(void** state)
{
    (void)state;
    const double h = 0.02;
    const firn_level_set* set = build_ball(ball, h);
    const double low[3] = {set->bounds.low.x, set->bounds.low.y, set->bounds.low.z};
    const double high[3] = {set->bounds.high.x, set->bounds.high.y, set->bounds.high.z};
    for (int i = 0; i < 3; i++) {
        assert_near(low[i], ball[i] - ball[3], h * h / ball[3]);
        assert_near(high[i], ball[i] + ball[3], h * h / ball[3]);
    }
    any_source r = any_start(7);
    for (int k = 0; k < 20000; k++) {
        const firn_vec3 x = any_vec3(&r, 1);
        if (!(firn_level_set_distance(set, x) <= 0)) continue;
        assert_at_least(x.x, set->bounds.low.x - 1e-6f);
        assert_at_most(x.x, set->bounds.high.x + 1e-6f);
        assert_at_least(x.y, set->bounds.low.y - 1e-6f);
        assert_at_most(x.y, set->bounds.high.y + 1e-6f);
        assert_at_least(x.z, set->bounds.low.z - 1e-6f);
        assert_at_most(x.z, set->bounds.high.z + 1e-6f);
    }
    // the chords of a ball 50 voxels across cut off 3 h^2 / (8 r^2) of it at most
    const double exact = 4 * PI / 3 * ball[3] * ball[3] * ball[3];
    const double volume = firn_level_set_volume(set);
    // the node nearest to the centre is within half a diagonal of it
    const double depth = (double)firn_level_set_depth(set);
    assert_at_most(depth, ball[3]);
    assert_greater(depth, ball[3] - 0.87 * h);
    assert_less(volume, exact);
    assert_greater(volume, exact * (1 - 0.0008));
    firn_level_set_release(set);
}

// As a shape: moved, scaled, spinning, filled with points.
static void a_level_set_is_a_shape(void** state)
{
    (void)state;
    const firn_level_set* set = build_ball(ball, 0.02);
    firn_shapes shapes = {0};
    firn_local leaf = -1, moved = -1;
    assert_int_equal(firn_shapes_add_level_set(&shapes, set, &leaf, NULL), FIRN_OK);
    assert_int_equal(set->users, 2);
    const firn_shape_node node = {.kind = FIRN_SHAPE_TRANSFORM,
                                  .a = leaf,
                                  .p = {1, 2, 3, 2},
                                  .q = firn_q_from_vector(firn_v3(0, (firn_real)1.2, 0))};
    moved = gallery_add(&shapes, node);
    firn_vec3 n;
    const firn_vec3 x = firn_v3(1, (firn_real)(2 - 2 * 0.21 + 2 * 0.36), 3);
    const firn_vec3 body = firn_q_rotate(firn_q_conjugate(node.q), firn_v3(0, (firn_real)0.15, 0));
    const double expected =
        2 * (gallery_length(body.x - ball[0], body.y - ball[1], body.z - ball[2]) - ball[3]);
    assert_near(firn_shape_sample(&shapes, moved, x, &n), expected, 0.002);  // trilinear: h^2/(8 r)
    assert_equal(firn_shape_distance(&shapes, moved, x), firn_shape_sample(&shapes, moved, x, &n));
    const firn_box3 box = firn_shape_bounds(&shapes, moved);
    assert_greater(box.high.y - box.low.y, 1.99);
    assert_less(box.high.y - box.low.y, 2.9);
    const double volume = firn_shape_volume(&shapes, leaf, 1000000);
    assert_near(volume / firn_level_set_volume(set), 1, 2e-3);  // a million samples

    // blocks of points are judged whole; none may be judged wrongly, coarse voxels or not
    const firn_level_set* coarse = build_ball(ball, 0.11);
    firn_local rough = -1;
    assert_int_equal(firn_shapes_add_level_set(&shapes, coarse, &rough, NULL), FIRN_OK);
    firn_level_set_release(coarse);
    firn_points points = {0};
    assert_int_equal(
        firn_seed_shape(&shapes, rough, (firn_real)0.03, 8, FIRN_SEED_LATTICE, 1, &points, NULL),
        FIRN_OK);
    int64_t count = 0;
    for (int k = -100; k < 100; k++)
        for (int j = -100; j < 100; j++)
            for (int i = -100; i < 100; i++)
                count += firn_shape_distance(&shapes, rough,
                                             firn_v3((firn_real)((i + 0.5) * 0.015),
                                                     (firn_real)((j + 0.5) * 0.015),
                                                     (firn_real)((k + 0.5) * 0.015))) <= 0;
    assert_int_equal(points.count, count);
    firn_points_destroy(&points);
    firn_shapes_destroy(&shapes);
    assert_int_equal(set->users, 1);
    firn_level_set_release(set);
}

static void what_is_refused(void** state)
{
    (void)state;
    const firn_level_set* set = NULL;
    firn_error error = {0};
    const firn_real nan = (firn_real)NAN;
    const struct {
        firn_real voxel, band;
        double ball[4];
        const char* words;
    } cases[] = {{0, 1, {0, 0, 0, 1}, "voxels of 0 m"},
                 {nan, 1, {0, 0, 0, 1}, "voxels of nan"},
                 {1, 0, {0, 0, 0, 1}, "band of 0 m"},
                 {(firn_real)1e-3, (firn_real)1e-2, {0, 0, 0, 1}, "use larger voxels"},
                 {(firn_real)1e-3, (firn_real)1e-2, {0, 0, 0, NAN}, "voxels"},
                 {1, 2, {.5, .5, .5, .1}, "nothing is inside"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(firn_level_set_build(ball_box(cases[k].ball), cases[k].voxel,
                                              cases[k].band, sphere_phi, cases[k].ball, &set,
                                              &error),
                         FIRN_REFUSED_ARGUMENT);
        if (strstr(error.text, cases[k].words) == NULL)
            fail_msg("'%s' does not say '%s'", error.text, cases[k].words);
    }
    int32_t table[2] = {0, 1};
    firn_real value[512] = {-1};
    firn_level_set parts = {
        .voxel = 1, .size = {2, 1, 1}, .table = table, .value = value, .block_count = 1, .band = 1};
    assert_int_equal(firn_level_set_adopt(&parts, &set, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "entry 1 of its table is block 1, there are 1");
    table[1] = -3;
    assert_int_equal(firn_level_set_adopt(&parts, &set, &error), FIRN_REFUSED_ARGUMENT);
    table[1] = FIRN_LEVEL_SET_OUTSIDE;
    value[7] = nan;
    assert_int_equal(firn_level_set_adopt(&parts, &set, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "value 7 of block 0");
    parts.size[1] = 0;
    assert_int_equal(firn_level_set_adopt(&parts, &set, &error), FIRN_REFUSED_ARGUMENT);
    assert_null(set);
}

static void shared_by_counting(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    const firn_level_set* set = build_ball(ball, 0.05);
    assert_at_most(firn_level_set_bytes(set), firn_memory_read().bytes - before);
    firn_shapes shapes = {0}, copy;
    firn_local shape;
    assert_int_equal(firn_shapes_add_level_set(&shapes, set, &shape, NULL), FIRN_OK);
    assert_int_equal(firn_shapes_add_level_set(&shapes, set, &shape, NULL), FIRN_OK);
    assert_int_equal(firn_shapes_copy(&shapes, &copy), FIRN_OK);
    assert_int_equal(set->users, 5);
    firn_shapes_destroy(&shapes);
    assert_int_equal(set->users, 3);
    firn_level_set_release(set);
    const firn_vec3 x = gallery_vec3(ball);
    assert_less(firn_shape_distance(&copy, shape, x), -0.4f);
    firn_shapes_destroy(&copy);
    firn_level_set_release(NULL);
    assert_int_equal(firn_memory_read().bytes, before);
}

static void out_of_memory_leaves_nothing(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        const firn_level_set* set = NULL;
        firn_shapes shapes = {0}, copy = {0};
        firn_local shape = -1;
        firn_memory_fail_at(k, false);
        firn_result result = firn_level_set_build(ball_box(ball), (firn_real)0.1, (firn_real)0.4,
                                                  sphere_phi, ball, &set, NULL);
        if (result == FIRN_OK) result = firn_shapes_add_level_set(&shapes, set, &shape, NULL);
        if (result == FIRN_OK) result = firn_shapes_copy(&shapes, &copy);
        firn_memory_fail_at(0, false);
        firn_level_set_release(set);
        firn_shapes_destroy(&shapes);
        firn_shapes_destroy(&copy);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        failures++;
    }
    assert_at_least(failures, 6);  // three of the build, two of the shapes, two of the copy
}

static void threads_change_nothing(void** state)
{
    (void)state;
    uint64_t hash[3];
    double volume[3];
    const int threads[3] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        use_team(threads[k]);
        const firn_level_set* set = build_ball(ball, 0.03);
        hash[k] = firn_level_set_hash(set);
        volume[k] = firn_level_set_volume(set);
        firn_level_set_release(set);
    }
    use_team(0);
    assert_equal(hash[0], hash[1]);
    assert_equal(hash[0], hash[2]);
    assert_equal(volume[0], volume[1]);
    assert_equal(volume[0], volume[2]);
    const double other[4] = {ball[0], ball[1], ball[2], ball[3] + 1e-4};
    const firn_level_set* set = build_ball(other, 0.03);
    assert_not_equal(firn_level_set_hash(set), hash[0]);
    firn_level_set_release(set);
}

int test_level_set(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_and_volume),
        cmocka_unit_test(a_level_set_is_a_shape),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(shared_by_counting),
        cmocka_unit_test(out_of_memory_leaves_nothing),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests_name("level_set", tests, NULL, NULL);
}
