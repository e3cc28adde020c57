// SPDX-License-Identifier: MIT
// phi and its gradient from blocks: how fast they become right (VALIDATION T28 with a grid), lower
// bounds everywhere, blocks that are missing.
#include "geometry/levelset/level_set_sample.h"

#include <math.h>

#include "core/memory.h"
#include "figure.h"
#include "geometry/collider/collider.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/level_set_ball.h"

// Tolerances: 1e-4 to 1e-6 are roundings of float, in gradients divided by the voxel.

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
        assert_equal(phi.distance, firn_level_set_distance(set, gallery_vec3(at)));
        *out_value = fmax(*out_value, fabs((double)phi.distance - off));
        *out_normal =
            fmax(*out_normal, gallery_length(phi.normal.x - d[0] / l, phi.normal.y - d[1] / l,
                                             phi.normal.z - d[2] / l));
        assert_near(firn_v3_length(phi.normal), 1, 1e-5);
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
    assert_less(value[2], 0.01 * 0.01 / 4 / 0.45);
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
    gallery_add(&shapes,
                (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                  .p = {(firn_real).1, (firn_real).2, (firn_real)-.3,
                                        (firn_real).517, (firn_real).423, (firn_real).309, 0},
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
        assert_near(phi.distance, off, 20 * (double)FIRN_REAL_EPSILON);
        const double along = axis == 0 ? phi.normal.x : axis == 1 ? phi.normal.y : phi.normal.z;
        assert_near(along, way, 200 * (double)FIRN_REAL_EPSILON);
    }
    assert_near(set->bounds.high.y, .623, 1e-6);
    assert_near(set->bounds.low.x, -.417, 1e-6);
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
        assert_near(fabs((double)firn_v3_length(phi.normal)), 1, 1e-5);
        assert_true(fabs(d) < slack || (phi.distance > 0) == (d > 0));
        const double bound = fabs(d) + slack + 1e-5 * reach;
        assert_near(phi.distance, 0, bound);
        // steepest where the distance to the box takes over from the blocks
        const double change = fabs((double)(phi.distance - firn_level_set_distance(set, y)));
        assert_at_most(change, 1.1 * (double)firn_v3_length(firn_v3_sub(x, y)) + 1e-5 * reach);
        if (d > 0.2) least = fmin(least, (double)phi.distance / d);
        if (d > 0.2) assert_greater(firn_v3_dot(phi.normal, firn_v3_sub(x, gallery_vec3(ball))), 0);
    }
    assert_greater(least, 0.25);  // and not far too low: rays would crawl
    const firn_phi middle = firn_level_set_sample(set, gallery_vec3(ball));
    // a cone's tip is flattened by less than a voxel
    assert_greater(middle.distance, -ball[3]);
    assert_less(middle.distance, -ball[3] + h);
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
            assert_int_equal(firn_collider_move(&c, &shapes, t, NULL), FIRN_OK);
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
            assert_near(v.x, 1 + 2 * x[2], 1e-4);
            assert_near((double)v.z + 2 * (x[0] - t), 0, 1e-4);
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
    assert_equal(firn_level_set_distance(set, firn_v3(3, 3, 3)), -4);
    assert_equal(firn_level_set_distance(set, firn_v3((firn_real)11.5, 3, 3)), 0);
    assert_equal(firn_level_set_distance(set, firn_v3(18, 3, 3)), firn_v3(18 - 11.5f, 0, 0).x);
    // the first node beyond the table is outside: the body is closed half a voxel before it
    assert_equal(firn_level_set_distance(set, firn_v3((firn_real)-0.5, 3, 3)), 0);
    assert_equal(set->bounds.low.x, (firn_real)-0.5);
    assert_equal(set->bounds.high.x, (firn_real)11.5);
    const firn_phi deep = firn_level_set_sample(set, firn_v3(1, 3, 3));
    assert_equal(deep.normal.x, -1);  // level inside: to the nearest face of the box
    const firn_phi wall = firn_level_set_sample(set, firn_v3((firn_real)11.2, 3, 3));
    assert_near(wall.normal.x, 1, 1e-6);
    firn_level_set_release(set);
}

int test_level_set_sample(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halving_the_voxel_quarters_the_errors),
        cmocka_unit_test(flat_faces_are_exact),
        cmocka_unit_test(phi_is_a_lower_bound_everywhere),
        cmocka_unit_test(a_spinning_grid_converges),
        cmocka_unit_test(blocks_that_are_missing),
    };
    return cmocka_run_group_tests_name("level_set_sample", tests, NULL, NULL);
}
