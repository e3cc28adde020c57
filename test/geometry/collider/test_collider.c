// SPDX-License-Identifier: MIT
// VALIDATION T28: a spinning, moving box. phi(x, t) = phi_0(Q^T (x - c)), n = Q grad phi_0,
// v_co = c' + omega x (x - c), all from formulas of the test's own, at 1e4 points and times; and
// the same box growing.
#include "geometry/collider/collider.h"

#include <math.h>

#include "core/memory.h"
#include "figure.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/formula_body.h"
#include "geometry/gallery.h"

// The motion, in double.
static const double velocity[3] = {0.3, -0.2, 0.5}, spin_axis[3] = {2. / 7, 3. / 7, 6. / 7};
static const double spin_rate = 3.5;
static const double half_size[3] = {0.5, 0.75, 0.25};

// What the box does besides: turns about a pivot, grows about its centre.
typedef struct course {
    double pivot[3];
    double widening;  // s = 1 + widening t
} course;
static const course about_pivot = {{0.5, 0.25, -0.5}, 0}, growing = {{0, 0, 0}, 0.75};

static firn_collider spinning_box(firn_shapes* shapes)
{
    firn_collider c = {
        .shape = gallery_add(
            shapes, (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                      .p = {0, 0, 0, (firn_real)half_size[0],
                                            (firn_real)half_size[1], (firn_real)half_size[2], 0},
                                      .q = {1, 0, 0, 0}}),
        .motion = firn_motion_at_rest()};
    c.motion.velocity = gallery_vec3(velocity);
    c.motion.pivot = gallery_vec3(about_pivot.pivot);
    c.motion.spin = gallery_vec3((const double[3]){
        spin_rate * spin_axis[0], spin_rate * spin_axis[1], spin_rate * spin_axis[2]});
    return c;
}

// Rodrigues' formula.
static void rotation(double angle, double R[3][3])
{
    const double *u = spin_axis, s = sin(angle), c = cos(angle);
    const double K[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i][j] = (i == j ? c : 0) + s * K[i][j] + (1 - c) * u[i] * u[j];
}

// Distance and gradient of the box at y, as the definition of a box says.
static double box_phi(const double y[3], double n[3])
{
    double d[3], outside = 0;
    int largest = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = fabs(y[i]) - half_size[i];
        outside += d[i] > 0 ? d[i] * d[i] : 0;
        if (d[i] > d[largest]) largest = i;
    }
    outside = sqrt(outside);
    for (int i = 0; i < 3; i++) {
        const double along = outside > 0 ? fmax(d[i], 0) / outside : (i == largest);
        n[i] = y[i] < 0 ? -along : along;
    }
    return outside > 0 ? outside : d[largest];
}

// Near the planes where two faces are equally near, rounding decides which gradient is given.
static bool is_tie(const double y[3])
{
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = fabs(y[i]) - half_size[i];
    const bool inside = d[0] < 1e-3 && d[1] < 1e-3 && d[2] < 1e-3;
    return inside &&
           (fabs(d[0] - d[1]) < 1e-3 || fabs(d[1] - d[2]) < 1e-3 || fabs(d[2] - d[0]) < 1e-3);
}

typedef struct errors {
    double phi, normal, length, velocity;
} errors;

static void compare(const firn_collider* c, const firn_shapes* shapes, const course* how, double t,
                    firn_vec3 at, errors* worst)
{
    const double x[3] = {(double)at.x, (double)at.y, (double)at.z};
    double R[3][3], center[3], y[3] = {0, 0, 0}, n0[3], off = 0;
    const double *pivot = how->pivot, s = 1 + how->widening * t;
    rotation(spin_rate * t, R);
    for (int i = 0; i < 3; i++) {
        center[i] = pivot[i] + velocity[i] * t;
        for (int j = 0; j < 3; j++) center[i] -= R[i][j] * pivot[j];
    }
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) y[j] += R[i][j] * (x[i] - center[i]) / s;
    const double phi = s * box_phi(y, n0);
    firn_vec3 n;
    const double found = (double)firn_collider_sample(c, shapes, at, &n);
    worst->phi = fmax(worst->phi, fabs(found - phi));
    assert_equal(found, firn_collider_distance(c, shapes, at));
    worst->length = fmax(worst->length, fabs((double)firn_v3_length(n) - 1));
    const double normal[3] = {(double)n.x, (double)n.y, (double)n.z};
    for (int i = 0; i < 3; i++)
        off += fabs(R[i][0] * n0[0] + R[i][1] * n0[1] + R[i][2] * n0[2] - normal[i]);
    // close to an edge the direction to it is as uncertain as the rounding of x over the distance
    if (!is_tie(y) && fabs(phi) > 0.1) worst->normal = fmax(worst->normal, off);
    // of the material point, about the moving pivot
    const firn_vec3 v = firn_collider_velocity(c, at);
    const double arm[3] = {x[0] - pivot[0] - velocity[0] * t, x[1] - pivot[1] - velocity[1] * t,
                           x[2] - pivot[2] - velocity[2] * t};
    const double *u = spin_axis, found_v[3] = {(double)v.x, (double)v.y, (double)v.z};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double expected =
            velocity[i] + spin_rate * (u[j] * arm[k] - u[k] * arm[j]) + how->widening / s * arm[i];
        worst->velocity = fmax(worst->velocity, fabs(found_v[i] - expected));
    }
}

static void T28_rigid_level_set(void** state)
{
    (void)state;
    any_source r = any_start(81);
    firn_shapes shapes = {0};
    firn_collider c = spinning_box(&shapes);
    errors worst = {0};
    for (int q = 0; q < 10000; q++) {
        // the motion's firn_real parameters differ from the test's doubles by rounding, times t
        const double t = any_between(&r, 0, 2);
        assert_int_equal(firn_collider_move(&c, &shapes, t, NULL), FIRN_OK);
        compare(&c, &shapes, &about_pivot, t, any_vec3(&r, 2), &worst);
    }
    check_figure(T28_phi, worst.phi);
    check_figure(T28_normal, worst.normal);
    check_figure(T28_normal_length, worst.length);
    check_figure(T28_velocity, worst.velocity);
    firn_shapes_destroy(&shapes);
}

// The same spin by key frames, less than half a turn apart, while the box grows to 2.5 times its
// size. Linear: spin and growth between the keys are exact.
static void T28_growing_level_set(void** state)
{
    (void)state;
    any_source r = any_start(83);
    firn_shapes shapes = {0};
    firn_collider c = spinning_box(&shapes);
    firn_keyframe keys[5];
    for (int k = 0; k < 5; k++) {
        const double t = 0.5 * k, turn = spin_rate * t;
        const double at[3] = {velocity[0] * t, velocity[1] * t, velocity[2] * t};
        const double w[3] = {turn * spin_axis[0], turn * spin_axis[1], turn * spin_axis[2]};
        keys[k] = (firn_keyframe){t, gallery_vec3(at), firn_q_from_vector(gallery_vec3(w)),
                                  (firn_real)(1 + growing.widening * t)};
    }
    c.motion = firn_motion_at_rest();
    c.motion.keys = keys;
    c.motion.key_count = 5;
    c.motion.interpolation = FIRN_INTERPOLATE_LINEAR;
    errors worst = {0};
    for (int q = 0; q < 10000; q++) {
        const double t = any_between(&r, 0, 2);
        assert_int_equal(firn_collider_move(&c, &shapes, t, NULL), FIRN_OK);
        compare(&c, &shapes, &growing, t, any_vec3(&r, 2), &worst);
    }
    check_figure(T28_growing_phi, worst.phi);
    check_figure(T28_growing_normal, worst.normal);
    check_figure(T28_growing_velocity, worst.velocity);
    firn_shapes_destroy(&shapes);
}

static void velocity_moves_the_surface(void** state)
{
    (void)state;
    any_source r = any_start(82);
    firn_shapes shapes = {0};
    firn_collider c = spinning_box(&shapes);
#ifdef FIRN_DOUBLE
    const double h = 1e-6, limit = 1e-9;
#else
    const double h = 1e-2, limit = 2e-4;  // h^2 of curvature: 1e-4
#endif
    // a point that moves with the body keeps its distance: phi(x + h v, t + h) = phi(x, t) + O(h^2)
    for (int q = 0; q < 2000; q++) {
        const double t = any_between(&r, 0, 2);
        const firn_vec3 x = any_vec3(&r, 0.5);
        assert_int_equal(firn_collider_move(&c, &shapes, t + h / 2, NULL), FIRN_OK);
        const firn_vec3 v = firn_collider_velocity(&c, x);  // midpoint rule
        assert_int_equal(firn_collider_move(&c, &shapes, t, NULL), FIRN_OK);
        const double before =
            (double)firn_collider_distance(&c, &shapes, firn_v3_madd(x, (firn_real)(-h / 2), v));
        assert_int_equal(firn_collider_move(&c, &shapes, t + h, NULL), FIRN_OK);
        const double after =
            (double)firn_collider_distance(&c, &shapes, firn_v3_madd(x, (firn_real)(h / 2), v));
        assert_near(after, before, limit);
    }
    firn_shapes_destroy(&shapes);
}

// A deforming body that is moved, turned and scaled as a whole: a ball that goes 1 m/s along its
// own x and grows by 0.5 m/s, in a frame twice as large that turns about z and moves along y.
static formula_body own_ball(void)
{
    return (formula_body){.velocity = {1, 0, 0},
                          .radius = 1,
                          .growth = (firn_real)0.5,
                          .interval = 0.25,
                          .key_count = 9,
                          .voxel = (firn_real)0.1,
                          .band = 1,
                          .bad_key = -1};
}

static firn_collider own_collider(formula_body* f)
{
    const firn_deforming_def def = formula_def((size_t)1 << 30);
    firn_collider c = {
        .shape = -1, .deforming = formula_open(f, &def), .motion = firn_motion_at_rest()};
    c.motion.scale = 2;
    c.motion.velocity = firn_v3(0, 3, 0);
    c.motion.spin = firn_v3(0, 0, (firn_real)1.5);
    return c;
}

static void deforming_body_in_a_moving_frame(void** state)
{
    (void)state;
    any_source r = any_start(84);
    formula_body f = own_ball();
    firn_collider c = own_collider(&f);
    const firn_shapes none = {0};
    for (int q = 0; q < 500; q++) {
        const double t = any_between(&r, 0, 2), turn = 1.5 * t;
        if (firn_collider_move(&c, &none, t, NULL) != FIRN_OK) fail_msg("t %g", t);
        // centre and radius in the world
        const double center[3] = {2 * t * cos(turn), 3 * t + 2 * t * sin(turn), 0};
        const double radius = 2 * (1 + 0.5 * t);
        firn_vec3 n = firn_v3(0, 0, 0);
        while ((double)firn_v3_length(n) < 0.1) n = any_vec3(&r, 1);
        n = firn_v3_normalize(n, n);
        const double off = any_between(&r, -0.5, 0.5);
        const firn_vec3 x = firn_v3_madd(gallery_vec3(center), (firn_real)(radius + off), n);
        firn_vec3 normal;
        const double phi = (double)firn_collider_sample(&c, &none, x, &normal);
        assert_near(phi, off, 0.03);  // grid of 0.2 m in the world: trilinear, h^2 over 8 radii
        assert_equal(phi, firn_collider_distance(&c, &none, x));
        assert_less(firn_v3_length(firn_v3_sub(normal, n)), 0.05);  // radians: h over the diameter
        // frame + turn + own velocity, turned and scaled: 2 (1, 0, 0) turned, 2 x 0.5 outwards
        const firn_vec3 v = firn_collider_velocity(&c, x);
        const double expected[3] = {-1.5 * ((double)x.y - 3 * t) + 2 * cos(turn) + (double)n.x,
                                    3 + 1.5 * (double)x.x + 2 * sin(turn) + (double)n.y,
                                    (double)n.z};
        // a spin of 1.5/s about a centre that is known to 0.03 m, and the normal of the growth
        assert_less(firn_v3_length(firn_v3_sub(v, gallery_vec3(expected))), 0.1);
        const firn_box3 box = firn_collider_bounds(&c, &none);
        assert_less(box.low.y, -0.99 * (1 + 0.5 * t));
        assert_less(box.high.y, 4);
    }
    firn_collider_destroy(&c);
    assert_null(c.deforming);
}

// A point that moves with the surface stays on it.
static void deforming_velocity_moves_the_surface(void** state)
{
    (void)state;
    any_source r = any_start(85);
    formula_body f = own_ball();
    firn_collider c = own_collider(&f);
    const firn_shapes none = {0};
    const double h = 0.02;
    for (int q = 0; q < 300; q++) {
        const double t = any_between(&r, 0.05, 1.9);
        const firn_vec3 x = any_vec3(&r, 4);
        assert_int_equal(firn_collider_move(&c, &none, t, NULL), FIRN_OK);
        const double off = (double)firn_collider_distance(&c, &none, x);
        if (fabs(off) > 0.6) continue;
        const firn_vec3 v = firn_collider_velocity(&c, x);
        assert_int_equal(firn_collider_move(&c, &none, t + h, NULL), FIRN_OK);
        const double next =
            (double)firn_collider_distance(&c, &none, firn_v3_madd(x, (firn_real)h, v));
        assert_near(next, off, 0.01);  // without the velocity: 0.1
    }
    firn_collider_destroy(&c);
}

static void copies_are_their_own(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    formula_body f = own_ball();
    f.bad_key = 6;
    firn_collider c = own_collider(&f), copy;
    c.motion.keys = firn_alloc(2, sizeof *c.motion.keys);
    for (int k = 0; k < 2; k++)
        c.motion.keys[k] = (firn_keyframe){k, firn_v3(0, (firn_real)k, 0), {1, 0, 0, 0}, 1};
    c.motion.key_count = 2;
    assert_int_equal(firn_collider_move(&c, &(firn_shapes){0}, 0.3, NULL), FIRN_OK);
    for (uint64_t k = 1;; k++) {  // memory runs out: nothing is left of the copy
        firn_memory_fail_at(k, false);
        const firn_result result = firn_colliders_copy(&c, 1, &copy);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) break;
        assert_null(copy.motion.keys);
        assert_null(copy.deforming);
        assert_null(copy.deform.a);
    }
    assert_not_equal(copy.motion.keys, c.motion.keys);
    assert_equal(copy.deforming, c.deforming);
    assert_int_equal(firn_collider_move(&copy, &(firn_shapes){0}, 0.8, NULL), FIRN_OK);
    assert_equal(c.deform.a->time, 0.25);
    assert_equal(copy.deform.a->time, 0.75);
    // what cannot be made leaves the pose as it was
    firn_error error;
    const firn_pose pose = copy.pose;
    assert_int_equal(firn_collider_move(&copy, &(firn_shapes){0}, 1.4, &error), FIRN_REFUSED_IO);
    assert_memory_equal(&pose, &copy.pose, sizeof pose);
    assert_equal(copy.deform.a->time, 0.75);
    firn_colliders_destroy(&c, 1);
    assert_int_equal(firn_collider_move(&copy, &(firn_shapes){0}, 0.3, NULL), FIRN_OK);
    firn_colliders_destroy(&copy, 1);
    assert_equal(firn_memory_read().bytes, before);
}

// Beyond its reach a body is not, wherever it moves; and most of space is beyond it.
static void reach_holds_the_body(void** state)
{
    (void)state;
    any_source r = any_start(86);
    firn_shapes shapes = {0};
    firn_collider c = spinning_box(&shapes);
    int64_t missed = 0, inside = 0;
    for (int q = 0; q < 20000; q++) {
        if (q % 20 == 0)
            assert_int_equal(firn_collider_move(&c, &shapes, any_between(&r, 0, 2), NULL), FIRN_OK);
        const firn_vec3 x = any_vec3(&r, 2);
        const bool is_inside = firn_collider_distance(&c, &shapes, x) <= 0;
        const bool is_missed = firn_collider_misses(&c, x);
        assert_false(is_inside && is_missed);
        missed += is_missed;
        inside += is_inside;
    }
    if (inside < 20 || missed < 10000) fail_msg("inside %d, missed %d", (int)inside, (int)missed);
    firn_collider_destroy(&c);
    // a floor ends at its own height and nowhere else; a slope reaches everywhere
    firn_collider floor_of = {.motion = firn_motion_at_rest()};
    floor_of.shape =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 1, 0, 0, 1, 0}});
    assert_int_equal(firn_collider_move(&floor_of, &shapes, 0, NULL), FIRN_OK);
    assert_true(firn_collider_misses(&floor_of, firn_v3(0, (firn_real)1.001, 0)));
    assert_false(firn_collider_misses(&floor_of, firn_v3(1e6f, 1, -1e6f)));
    floor_of.motion.spin = firn_v3(0, 0, 1);
    assert_int_equal(firn_collider_move(&floor_of, &shapes, 0.5, NULL), FIRN_OK);
    assert_false(firn_collider_misses(&floor_of, firn_v3(0, 100, 0)));
    firn_shapes_destroy(&shapes);
}

int test_collider(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T28_rigid_level_set),
                                       cmocka_unit_test(T28_growing_level_set),
                                       cmocka_unit_test(velocity_moves_the_surface),
                                       cmocka_unit_test(deforming_body_in_a_moving_frame),
                                       cmocka_unit_test(deforming_velocity_moves_the_surface),
                                       cmocka_unit_test(reach_holds_the_body),
                                       cmocka_unit_test(copies_are_their_own)};
    return cmocka_run_group_tests_name("collider", tests, NULL, NULL);
}
