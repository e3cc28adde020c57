// SPDX-License-Identifier: MIT
// Level sets from formulas: how fast phi and its gradient become right, bounds, sharing, memory.
#include "shape/level_set.h"

#include <omp.h>
#include <string.h>

#include "core/memory.h"
#include "figure.h"
#include "gallery.h"
#include "shape/collider.h"
#include "shape/level_set_sample.h"
#include "shape/seeding.h"

static firn_real sphere_phi(const void* context, firn_vec3 x)
{
    const double* s = context;  // centre, radius
    return (firn_real)(gallery_length(x.x - s[0], x.y - s[1], x.z - s[2]) - s[3]);
}

static const double ball[4] = {0.13, -0.21, 0.37, 0.5};

static firn_box3 ball_box(const double* s)
{
    return (firn_box3){
        firn_v3((firn_real)(s[0] - s[3]), (firn_real)(s[1] - s[3]), (firn_real)(s[2] - s[3])),
        firn_v3((firn_real)(s[0] + s[3]), (firn_real)(s[1] + s[3]), (firn_real)(s[2] + s[3]))};
}

static const firn_level_set* build_ball(const double* s, double voxel)
{
    const firn_level_set* set = NULL;
    firn_error error = {0};
    if (firn_level_set_build(ball_box(s), (firn_real)voxel, (firn_real)(4 * voxel), sphere_phi, s,
                             &set, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return set;
}

// Largest errors of distance and of the normal within two of the coarsest voxels of the surface.
static void errors_at(double voxel, double* out_value, double* out_normal)
{
    const firn_level_set* set = build_ball(ball, voxel);
    any_source r = any_start(11);
    *out_value = *out_normal = 0;
    for (int k = 0; k < 20000; k++) {
        double d[3], l;
        do {
            for (int i = 0; i < 3; i++) d[i] = any_between(&r, -1, 1);
            l = gallery_length(d[0], d[1], d[2]);
        } while (l > 1 || l < 0.01);
        // no farther out than nodes around have values, for the smallest voxels too
        const double off = any_between(&r, -0.04, 0.003);
        const double at[3] = {ball[0] + (ball[3] + off) * d[0] / l,
                              ball[1] + (ball[3] + off) * d[1] / l,
                              ball[2] + (ball[3] + off) * d[2] / l};
        const firn_phi phi = firn_level_set_sample(set, gallery_vec3(at));
        assert_true(phi.distance == firn_level_set_distance(set, gallery_vec3(at)));
        *out_value = fmax(*out_value, fabs((double)phi.distance - off));
        *out_normal =
            fmax(*out_normal, gallery_length(phi.normal.x - d[0] / l, phi.normal.y - d[1] / l,
                                             phi.normal.z - d[2] / l));
        assert_true(fabs((double)firn_v3_length(phi.normal) - 1) < 1e-5);
    }
    firn_level_set_release(set);
}

// T28: phi of a grid is right to O(h^2), and so is the normal, being made of central differences.
static void halving_the_voxel_quarters_the_errors(void** state)
{
    (void)state;
    double value[3], normal[3];
    for (int k = 0; k < 3; k++) errors_at(0.04 / (1 << k), &value[k], &normal[k]);
    for (int k = 0; k < 2; k++) {
        // 4 in the limit; the largest of many errors scatters a little
        if (!(value[k] / value[k + 1] > 3.4 && value[k] / value[k + 1] < 4.6))
            fail_msg("phi: %g, then %g", value[k], value[k + 1]);
        if (!(normal[k] / normal[k + 1] > 3.3))
            fail_msg("normal: %g, then %g", normal[k], normal[k + 1]);
    }
    // trilinear: h^2/8 times the curvature 1/r along each of two axes at worst
    assert_true(value[2] < 0.01 * 0.01 / 4 / 0.45);
}

static firn_real shape_phi(const void* context, firn_vec3 x)
{
    return firn_shape_distance(context, 0, x);
}

static const firn_level_set* build_shape(const firn_shapes* shapes, double voxel)
{
    const firn_level_set* set = NULL;
    firn_error error = {0};
    if (firn_level_set_build(firn_shape_bounds(shapes, 0), (firn_real)voxel, (firn_real)(4 * voxel),
                             shape_phi, shapes, &set, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return set;
}

// Faces between nodes: phi is linear there, so nothing but rounding may be lost.
static void flat_faces_are_exact(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                           .p = {.1f, .2f, -.3f, .517f, .423f, .309f, 0},
                                           .q = {1, 0, 0, 0}});
    const firn_level_set* set = build_shape(&shapes, 0.02);
    const double half[3] = {.517, .423, .309}, center[3] = {.1, .2, -.3};
    any_source r = any_start(3);
    for (int k = 0; k < 3000; k++) {
        const int axis = any_below(&r, 3), way = any_below(&r, 2) ? 1 : -1;
        const double off = any_between(&r, -0.05, 0.03);
        double x[3];
        for (int i = 0; i < 3; i++)
            x[i] = center[i] +
                   (i == axis ? way * (half[i] + off) : any_between(&r, -1, 1) * (half[i] - 0.12));
        const firn_phi phi = firn_level_set_sample(set, gallery_vec3(x));
        assert_true(fabs((double)phi.distance - off) < 20 * (double)FIRN_REAL_EPSILON);
        const double along = axis == 0 ? phi.normal.x : axis == 1 ? phi.normal.y : phi.normal.z;
        assert_true(fabs(along - way) < 200 * (double)FIRN_REAL_EPSILON);
    }
    assert_true(fabs((double)set->bounds.high.y - .623) < 1e-6);
    assert_true(fabs((double)set->bounds.low.x + .417) < 1e-6);
    firn_level_set_release(set);
    firn_shapes_destroy(&shapes);
}

// A ball of radius |phi| never crosses the surface, near or far; phi is continuous; |n| = 1.
static void phi_is_a_lower_bound_everywhere(void** state)
{
    (void)state;
    const double h = 0.03, slack = h * h / (4 * ball[3]) + 1e-6;
    const firn_level_set* set = build_ball(ball, h);
    any_source r = any_start(5);
    double least = 1;
    for (int k = 0; k < 50000; k++) {
        const double reach = k % 3 == 0 ? 100 : k % 3 == 1 ? 2 : 0.7;
        const firn_vec3 x = any_vec3(&r, reach), y = firn_v3_add(x, any_vec3(&r, h));
        const double d = (double)sphere_phi(ball, x);
        const firn_phi phi = firn_level_set_sample(set, x);
        assert_true(fabs(fabs((double)firn_v3_length(phi.normal)) - 1) < 1e-5);
        assert_true(fabs(d) < slack || (phi.distance > 0) == (d > 0));
        const double bound = fabs(d) + slack + 1e-5 * reach;
        assert_true(fabs((double)phi.distance) <= bound);
        // steepest where the distance to the box takes over from the blocks
        const double change = fabs((double)(phi.distance - firn_level_set_distance(set, y)));
        assert_true(change <= 1.1 * (double)firn_v3_length(firn_v3_sub(x, y)) + 1e-5 * reach);
        if (d > 0.2) least = fmin(least, (double)phi.distance / d);
        if (d > 0.2) assert_true(firn_v3_dot(phi.normal, firn_v3_sub(x, gallery_vec3(ball))) > 0);
    }
    assert_true(least > 0.25);  // and not far too low: rays would crawl
    const firn_phi middle = firn_level_set_sample(set, gallery_vec3(ball));
    // a cone's tip is flattened by less than a voxel
    assert_true((double)middle.distance > -ball[3] && (double)middle.distance < -ball[3] + h);
    firn_level_set_release(set);
}

static void bounds_and_volume(void** state)
{
    (void)state;
    const double h = 0.02;
    const firn_level_set* set = build_ball(ball, h);
    const double low[3] = {set->bounds.low.x, set->bounds.low.y, set->bounds.low.z};
    const double high[3] = {set->bounds.high.x, set->bounds.high.y, set->bounds.high.z};
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(low[i] - (ball[i] - ball[3])) < h * h / ball[3]);
        assert_true(fabs(high[i] - (ball[i] + ball[3])) < h * h / ball[3]);
    }
    any_source r = any_start(7);
    for (int k = 0; k < 20000; k++) {
        const firn_vec3 x = any_vec3(&r, 1);
        if (!(firn_level_set_distance(set, x) <= 0)) continue;
        assert_true(x.x >= set->bounds.low.x - 1e-6f && x.x <= set->bounds.high.x + 1e-6f);
        assert_true(x.y >= set->bounds.low.y - 1e-6f && x.y <= set->bounds.high.y + 1e-6f);
        assert_true(x.z >= set->bounds.low.z - 1e-6f && x.z <= set->bounds.high.z + 1e-6f);
    }
    // the chords of a ball 50 voxels across cut off 3 h^2 / (8 r^2) of it at most
    const double exact = 4 * PI / 3 * ball[3] * ball[3] * ball[3];
    const double volume = firn_level_set_volume(set);
    assert_true(volume < exact && volume > exact * (1 - 0.0008));
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
    assert_true(fabs((double)firn_shape_sample(&shapes, moved, x, &n) - expected) < 0.002);
    assert_true(firn_shape_distance(&shapes, moved, x) == firn_shape_sample(&shapes, moved, x, &n));
    const firn_box3 box = firn_shape_bounds(&shapes, moved);
    assert_true((double)(box.high.y - box.low.y) > 1.99 && (double)(box.high.y - box.low.y) < 2.9);
    const double volume = firn_shape_volume(&shapes, leaf, 1000000);
    assert_true(fabs(volume / firn_level_set_volume(set) - 1) < 2e-3);

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

// T28 with a grid: a body spinning about a pivot, seen from the world.
static void a_spinning_grid_converges(void** state)
{
    (void)state;
    double error[2] = {0}, tilt[2] = {0};
    for (int pass = 0; pass < 2; pass++) {
        const firn_level_set* set = build_ball(ball, 0.04 / (1 << pass));
        firn_shapes shapes = {0};
        firn_collider c = {.motion = firn_motion_at_rest()};
        assert_int_equal(firn_shapes_add_level_set(&shapes, set, &c.shape, NULL), FIRN_OK);
        firn_level_set_release(set);
        c.motion.spin = firn_v3(0, 2, 0);
        c.motion.velocity = firn_v3(1, 0, 0);
        any_source r = any_start(13);
        for (int k = 0; k < 10000; k++) {
            const double t = any_between(&r, 0, 3), s = sin(2 * t), co = cos(2 * t);
            assert_int_equal(firn_collider_move(&c, t, NULL), FIRN_OK);
            const double center[3] = {t + co * ball[0] + s * ball[2], ball[1],
                                      -s * ball[0] + co * ball[2]};
            double d[3], l;
            do {
                for (int i = 0; i < 3; i++) d[i] = any_between(&r, -1, 1);
                l = gallery_length(d[0], d[1], d[2]);
            } while (l > 1 || l < 0.01);
            const double off = any_between(&r, -0.05, 0.03);
            double x[3];
            for (int i = 0; i < 3; i++) x[i] = center[i] + (ball[3] + off) * d[i] / l;
            firn_vec3 n;
            const double phi = (double)firn_collider_sample(&c, &shapes, gallery_vec3(x), &n);
            error[pass] = fmax(error[pass], fabs(phi - off));
            tilt[pass] =
                fmax(tilt[pass], gallery_length(n.x - d[0] / l, n.y - d[1] / l, n.z - d[2] / l));
            const firn_vec3 v = firn_collider_velocity(&c, gallery_vec3(x));
            assert_true(fabs((double)v.x - (1 + 2 * x[2])) < 1e-4);
            assert_true(fabs((double)v.z + 2 * (x[0] - t)) < 1e-4);
        }
        firn_shapes_destroy(&shapes);
    }
    check_figure(T28_grid_phi_order, log2(error[0] / error[1]));
    check_figure(T28_grid_normal_order, log2(tilt[0] / tilt[1]));
}

// Blocks by hand: a full one (INSIDE), one with values, and the edge of the table.
static void blocks_that_are_missing(void** state)
{
    (void)state;
    int32_t* table = firn_alloc(3, sizeof *table);
    firn_real* value = firn_alloc(512, sizeof *value);
    table[0] = FIRN_LEVEL_SET_INSIDE;
    table[1] = 0;
    table[2] = FIRN_LEVEL_SET_OUTSIDE;
    for (int n = 0; n < 512; n++) value[n] = (firn_real)((n & 7) - 3.5);
    const firn_level_set parts = {
        .voxel = 1, .size = {3, 1, 1}, .table = table, .value = value, .block_count = 1, .band = 4};
    const firn_level_set* set = NULL;
    assert_int_equal(firn_level_set_adopt(&parts, &set, NULL), FIRN_OK);
    assert_true(firn_level_set_distance(set, firn_v3(3, 3, 3)) == -4);
    assert_true(firn_level_set_distance(set, firn_v3((firn_real)11.5, 3, 3)) == 0);
    assert_true(firn_level_set_distance(set, firn_v3(18, 3, 3)) == firn_v3(18 - 11.5f, 0, 0).x);
    // the first node beyond the table is outside: the body is closed half a voxel before it
    assert_true(firn_level_set_distance(set, firn_v3((firn_real)-0.5, 3, 3)) == 0);
    assert_true(set->bounds.low.x == (firn_real)-0.5 && set->bounds.high.x == (firn_real)11.5);
    const firn_phi deep = firn_level_set_sample(set, firn_v3(1, 3, 3));
    assert_true(deep.normal.x == -1);  // level inside: to the nearest face of the box
    const firn_phi wall = firn_level_set_sample(set, firn_v3((firn_real)11.2, 3, 3));
    assert_true(fabs((double)wall.normal.x - 1) < 1e-6);
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
    assert_non_null(strstr(error.text, "entry 1 of its table is block 1, there are 1"));
    table[1] = -3;
    assert_int_equal(firn_level_set_adopt(&parts, &set, &error), FIRN_REFUSED_ARGUMENT);
    table[1] = FIRN_LEVEL_SET_OUTSIDE;
    value[7] = nan;
    assert_int_equal(firn_level_set_adopt(&parts, &set, &error), FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(error.text, "value 7 of block 0"));
    parts.size[1] = 0;
    assert_int_equal(firn_level_set_adopt(&parts, &set, &error), FIRN_REFUSED_ARGUMENT);
    assert_null(set);
}

static void shared_by_counting(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    const firn_level_set* set = build_ball(ball, 0.05);
    assert_true(firn_level_set_bytes(set) <= firn_memory_read().bytes - before);
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
    assert_true(firn_shape_distance(&copy, shape, x) < -0.4f);
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
    assert_true(failures >= 6);  // three of the build, two of the shapes, two of the copy
}

static void threads_change_nothing(void** state)
{
    (void)state;
    const int all = omp_get_max_threads();
    uint64_t hash[3];
    double volume[3];
    const int threads[3] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        omp_set_num_threads(threads[k]);
        const firn_level_set* set = build_ball(ball, 0.03);
        hash[k] = firn_level_set_hash(set);
        volume[k] = firn_level_set_volume(set);
        firn_level_set_release(set);
    }
    omp_set_num_threads(all);
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    assert_true(volume[0] == volume[1] && volume[0] == volume[2]);
    const double other[4] = {ball[0], ball[1], ball[2], ball[3] + 1e-4};
    const firn_level_set* set = build_ball(other, 0.03);
    assert_true(firn_level_set_hash(set) != hash[0]);
    firn_level_set_release(set);
}

int test_level_set(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halving_the_voxel_quarters_the_errors),
        cmocka_unit_test(flat_faces_are_exact),
        cmocka_unit_test(phi_is_a_lower_bound_everywhere),
        cmocka_unit_test(bounds_and_volume),
        cmocka_unit_test(a_level_set_is_a_shape),
        cmocka_unit_test(a_spinning_grid_converges),
        cmocka_unit_test(blocks_that_are_missing),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(shared_by_counting),
        cmocka_unit_test(out_of_memory_leaves_nothing),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests_name("level_set", tests, NULL, NULL);
}
