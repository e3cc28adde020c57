// SPDX-License-Identifier: MIT
// Motions: known poses, velocities that are the derivatives of the path, continuity over key
// frames.
#include "geometry/motion/motion.h"

#include <string.h>

#include "seed.h"

#define PI 3.14159265358979323846

#ifdef FIRN_DOUBLE
#define ROUNDING 1e-13
#define DIFFERENCE 1e-5  // [s] of central differences: error of its square
#define RATE_ERROR 2e-8
#else
#define ROUNDING 1e-6
#define DIFFERENCE 2e-3
#define RATE_ERROR 2e-3
#endif

static double apart(firn_vec3 a, firn_vec3 b)
{
    return (double)firn_v3_length(firn_v3_sub(a, b));
}

static double turned_apart(firn_mat3 a, firn_mat3 b)
{
    return (double)firn_m3_norm(firn_m3_sub(a, b));
}

static firn_vec3 vec3(double x, double y, double z)
{
    return firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
}

static void at_rest(void** state)
{
    (void)state;
    const firn_motion m = firn_motion_at_rest();
    const firn_pose p = firn_motion_pose(&m, 12.5);
    const firn_vec3 x = {1, 2, 3};
    assert_equal(apart(firn_pose_to_world(&p, x), x), 0);
    assert_equal(apart(firn_pose_to_body(&p, x), x), 0);
    assert_equal(firn_v3_length(firn_pose_velocity(&p, x)), 0);
    assert_int_equal(firn_motion_check(&m, NULL), FIRN_OK);
}

// A quarter turn about a pivot that moves: by hand.
static void spin_about_a_moving_pivot(void** state)
{
    (void)state;
    firn_motion m = firn_motion_at_rest();
    m.position = vec3(3, 0, 0);
    m.pivot = vec3(1, 0, 0);
    m.velocity = vec3(0, 0, 2);
    m.spin = vec3(0, 0, PI);
    const firn_pose p = firn_motion_pose(&m, 0.5);
    assert_less(apart(p.position, vec3(1, 2, 1)), 4 * ROUNDING);
    assert_less(apart(firn_m3_mul_v3(p.rotation, vec3(1, 0, 0)), vec3(0, 1, 0)), ROUNDING);
    assert_less(apart(p.velocity, vec3(-2 * PI, 0, 2)), 8 * ROUNDING);
    assert_less(apart(p.spin, vec3(0, 0, PI)), 4 * ROUNDING);
    // the pivot itself has the given velocity, whatever the spin
    assert_less(apart(firn_pose_velocity(&p, vec3(1, 0, 1)), m.velocity), 20 * ROUNDING);
    // many turns later it is still a rotation
    const firn_pose late = firn_motion_pose(&m, 1e4 + 0.5);
    const firn_mat3 one = firn_m3_mul_transposed(late.rotation, late.rotation);
    assert_less(turned_apart(one, firn_m3_identity()), 4 * ROUNDING);
}

// Velocity of the body at a point, against where the material point was before and will be.
static void check_velocity(const firn_motion* m, double t, firn_vec3 x, double limit)
{
    const firn_pose p = firn_motion_pose(m, t);
    const firn_pose before = firn_motion_pose(m, t - DIFFERENCE);
    const firn_pose after = firn_motion_pose(m, t + DIFFERENCE);
    const firn_vec3 body = firn_pose_to_body(&p, x);
    const firn_vec3 step =
        firn_v3_sub(firn_pose_to_world(&after, body), firn_pose_to_world(&before, body));
    const firn_vec3 v = firn_pose_velocity(&p, x);
    const double off = apart(v, firn_v3_scale(step, (firn_real)(0.5 / DIFFERENCE)));
    if (!(off < limit)) fail_msg("t %g: off by %g of %g", t, off, (double)firn_v3_length(v));
}

static void constant_velocity_is_the_derivative(void** state)
{
    (void)state;
    any_source r = any_start(71);
    for (int q = 0; q < 500; q++) {
        firn_motion m = firn_motion_at_rest();
        m.position = any_vec3(&r, 2);
        m.pivot = any_vec3(&r, 2);
        m.velocity = any_vec3(&r, 1);
        m.spin = any_vec3(&r, 2);
        m.rotation = firn_q_from_vector(any_vec3(&r, 3));
        m.scale = (firn_real)any_between(&r, 0.5, 2);
        // |spin|^3 h^2 of truncation
        check_velocity(&m, any_between(&r, 0, 3), any_vec3(&r, 2), 40 * RATE_ERROR);
    }
}

enum { KEYS = 6 };

// Uneven times, large turns, one pair with nearly half a turn between them.
static firn_motion some_keys(firn_keyframe keys[KEYS], any_source* r, firn_interpolation how)
{
    double t = any_between(r, -1, 1);
    for (int k = 0; k < KEYS; k++) {
        keys[k].time = t;
        keys[k].position = any_vec3(r, 2);
        keys[k].rotation = firn_q_from_vector(any_vec3(r, 1.5));
        keys[k].scale = (firn_real)any_between(r, 0.5, 2);
        t += any_between(r, 0.3, 1.5);
    }
    keys[3].rotation = firn_q_mul(firn_q_from_vector(vec3(3.1, 0, 0)), keys[2].rotation);
    firn_motion m = firn_motion_at_rest();
    m.velocity = m.spin = vec3(5, 5, 5);  // ignored with keys
    m.keys = keys;
    m.key_count = KEYS;
    m.interpolation = how;
    return m;
}

static void keys_are_passed_through(void** state)
{
    (void)state;
    any_source r = any_start(72);
    for (int q = 0; q < 200; q++) {
        firn_keyframe keys[KEYS];
        const firn_motion m = some_keys(keys, &r, (firn_interpolation)(q % 2));
        assert_int_equal(firn_motion_check(&m, NULL), FIRN_OK);
        for (int k = 0; k < KEYS; k++) {
            const firn_pose p = firn_motion_pose(&m, keys[k].time);
            assert_less(apart(p.position, keys[k].position), ROUNDING);
            assert_less(turned_apart(p.rotation, firn_q_to_m3(keys[k].rotation)), 4 * ROUNDING);
            assert_near(p.scale, keys[k].scale, 2 * ROUNDING);
        }
        // outside: at rest on the nearest key
        const firn_pose early = firn_motion_pose(&m, keys[0].time - 5);
        const firn_pose late = firn_motion_pose(&m, keys[KEYS - 1].time + 5);
        assert_equal(apart(early.position, keys[0].position), 0);
        assert_equal(apart(late.position, keys[KEYS - 1].position), 0);
        assert_equal(firn_v3_length(early.velocity), 0);
        assert_equal(firn_v3_length(late.velocity), 0);
        assert_equal(firn_v3_length(late.spin), 0);
        assert_equal(early.scale, keys[0].scale);
        assert_equal(late.scale, keys[KEYS - 1].scale);
        assert_equal(early.growth, 0);
        assert_equal(late.growth, 0);
    }
}

static void key_velocities_are_derivatives(void** state)
{
    (void)state;
    any_source r = any_start(73);
    for (int q = 0; q < 400; q++) {
        firn_keyframe keys[KEYS];
        const firn_motion m = some_keys(keys, &r, (firn_interpolation)(q % 2));
        const int k = any_below(&r, KEYS - 1);
        const double t =
            any_between(&r, keys[k].time + 2 * DIFFERENCE, keys[k + 1].time - 2 * DIFFERENCE);
        // turns of up to pi in 0.3 s: third derivatives of some 1e3
        check_velocity(&m, t, any_vec3(&r, 1), 1000 * RATE_ERROR);
    }
}

static void smooth_keys_have_no_jumps(void** state)
{
    (void)state;
    any_source r = any_start(74);
    // In 2 h nothing moves by more than 1e-7: the rest is rounding, of rates divided by 0.3 s.
    const double h = 1e-9;  // [s]
    for (int q = 0; q < 200; q++) {
        firn_keyframe keys[KEYS];
        const firn_motion m = some_keys(keys, &r, FIRN_INTERPOLATE_SMOOTH);
        for (int k = 0; k < KEYS; k++) {
            const firn_pose a = firn_motion_pose(&m, keys[k].time - h);
            const firn_pose b = firn_motion_pose(&m, keys[k].time + h);
            assert_less(apart(a.position, b.position), 1e-6);
            assert_less(turned_apart(a.rotation, b.rotation), 4e-6);
            assert_less(apart(a.velocity, b.velocity), 2e-5);
            assert_less(apart(a.spin, b.spin), 2e-5);
            assert_near(a.scale, b.scale, 1e-6);
            assert_near(a.growth, b.growth, 2e-5);
        }
    }
}

// A curve through 10, 0.1, 0.1 that overshoots would turn the body inside out.
static void scale_stays_between_its_keys(void** state)
{
    (void)state;
    any_source r = any_start(75);
    for (int q = 0; q < 200; q++) {
        firn_keyframe keys[KEYS];
        const firn_motion m = some_keys(keys, &r, (firn_interpolation)(q % 2));
        for (int k = 0; k < KEYS; k++) keys[k].scale = any_below(&r, 2) ? 10 : (firn_real)0.1;
        for (int k = 0; k + 1 < KEYS; k++)
            for (int i = 0; i <= 20; i++) {
                const double t = keys[k].time + (keys[k + 1].time - keys[k].time) * i / 20;
                const double s = (double)firn_motion_pose(&m, t).scale;
                const double a = (double)keys[k].scale, b = (double)keys[k + 1].scale;
                assert_at_least(s, fmin(a, b) - 20 * ROUNDING);
                assert_at_most(s, fmax(a, b) + 20 * ROUNDING);
            }
    }
}

// Scaled, turned, moved: by hand.
static void scale_comes_first(void** state)
{
    (void)state;
    firn_motion m = firn_motion_at_rest();
    m.position = vec3(1, 0, 0);
    m.rotation = firn_q_from_vector(vec3(0, 0, PI / 2));
    m.scale = 3;
    const firn_pose p = firn_motion_pose(&m, 7);
    assert_less(apart(firn_pose_to_world(&p, vec3(2, 0, 0)), vec3(1, 6, 0)), 8 * ROUNDING);
    assert_less(apart(firn_pose_to_body(&p, vec3(1, 6, 0)), vec3(2, 0, 0)), 8 * ROUNDING);
    assert_equal(p.growth, 0);
}

// Keys taken from a steady motion give it back exactly between inner keys, in both interpolations.
static void steady_motion_is_reproduced(void** state)
{
    (void)state;
    firn_keyframe keys[KEYS];
    const double spin = 1.7;
    for (int k = 0; k < KEYS; k++) {
        const double t = k * 0.5 + (k % 2) * 0.1;
        keys[k] = (firn_keyframe){t, vec3(t, 2 * t, -t),
                                  firn_q_from_vector(vec3(0, spin * t * 0.6, spin * t * 0.8)),
                                  (firn_real)(1 + 0.25 * t)};
    }
    for (int how = 0; how < 2; how++) {
        firn_motion m = firn_motion_at_rest();
        m.keys = keys;
        m.key_count = KEYS;
        m.interpolation = (firn_interpolation)how;
        for (double t = 0.65; t < 1.95; t += 0.0371) {
            const firn_pose p = firn_motion_pose(&m, t);
            const firn_mat3 R =
                firn_q_to_m3(firn_q_from_vector(vec3(0, spin * t * 0.6, spin * t * 0.8)));
            assert_less(apart(p.position, vec3(t, 2 * t, -t)), 8 * ROUNDING);
            assert_less(apart(p.velocity, vec3(1, 2, -1)), 20 * ROUNDING);
            assert_less(turned_apart(p.rotation, R), 8 * ROUNDING);
            assert_less(apart(p.spin, vec3(0, spin * 0.6, spin * 0.8)), 20 * ROUNDING);
            assert_near(p.scale, 1 + 0.25 * t, 8 * ROUNDING);
            assert_near(p.growth, 0.25 / (1 + 0.25 * t), 8 * ROUNDING);
        }
    }
}

// q and -q are the same rotation: the short way is taken, not the sign's.
static void the_short_way_round(void** state)
{
    (void)state;
    const firn_quat turn = firn_q_from_vector(vec3(0, 0.5, 0));
    firn_keyframe keys[2] = {{0, {0, 0, 0}, {1, 0, 0, 0}, 1},
                             {1, {0, 0, 0}, {-turn.w, -turn.x, -turn.y, -turn.z}, 1}};
    firn_motion m = firn_motion_at_rest();
    m.keys = keys;
    m.key_count = 2;
    assert_less(apart(firn_motion_pose(&m, 0.3).spin, vec3(0, 0.5, 0)), 4 * ROUNDING);
    m.key_count = 1;  // one key: a place to rest
    assert_equal(apart(firn_motion_pose(&m, 0.3).spin, vec3(0, 0, 0)), 0);
    assert_equal(apart(firn_motion_pose(&m, 0).position, vec3(0, 0, 0)), 0);
}

static void bad_motions_are_refused(void** state)
{
    (void)state;
    const firn_motion rest = firn_motion_at_rest();
    firn_error error;
    firn_motion m = rest;
    m.velocity.x = (firn_real)NAN;
    assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
    firn_vec3* const values[] = {&m.position, &m.velocity, &m.spin, &m.pivot};
    for (int k = 0; k < 4; k++) {  // as far as floats reach, the pose would have NaN
        m = rest;
        values[k]->y = (firn_real)-1e30;
        assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
        assert_contains(error.text, "1e+06 rad/s");
    }
    m = rest;
    m.rotation = (firn_quat){0, 0, 0, 0};
    assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
    m = rest;
    m.key_count = 3;
    assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
    firn_keyframe keys[3] = {{0, {0, 0, 0}, {1, 0, 0, 0}, 1},
                             {2, {0, 0, 0}, {1, 0, 0, 0}, 1},
                             {2, {0, 0, 0}, {1, 0, 0, 0}, 1}};
    m.keys = keys;
    assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "key frame 3 is at 2 s");
    keys[2].time = NAN;
    assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
    keys[2].time = 3;
    assert_int_equal(firn_motion_check(&m, &error), FIRN_OK);
    keys[1].scale = 0;
    assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "key frame 2: the scale is 0");
    keys[1].scale = 2;
    m.scale = -1;
    assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "the scale is -1");
    m.scale = (firn_real)NAN;
    assert_int_equal(firn_motion_check(&m, &error), FIRN_REFUSED_ARGUMENT);
}

int test_motion(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_rest),
                                       cmocka_unit_test(spin_about_a_moving_pivot),
                                       cmocka_unit_test(constant_velocity_is_the_derivative),
                                       cmocka_unit_test(keys_are_passed_through),
                                       cmocka_unit_test(key_velocities_are_derivatives),
                                       cmocka_unit_test(smooth_keys_have_no_jumps),
                                       cmocka_unit_test(scale_stays_between_its_keys),
                                       cmocka_unit_test(scale_comes_first),
                                       cmocka_unit_test(steady_motion_is_reproduced),
                                       cmocka_unit_test(the_short_way_round),
                                       cmocka_unit_test(bad_motions_are_refused)};
    return cmocka_run_group_tests_name("motion", tests, NULL, NULL);
}
