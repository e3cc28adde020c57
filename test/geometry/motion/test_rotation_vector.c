// SPDX-License-Identifier: MIT
// Rotation vectors: log undoes exp, and the rate of exp(w(t)) is what J(w) w' says.
#include "geometry/motion/rotation_vector.h"

#include "seed.h"

// Tolerances: all in double: a dozen roundings of 2.2e-16; 1e-9 for central differences.

static firn_dvec3 any_dvec3(any_source* r, double size)
{
    const double x = any_between(r, -size, size), y = any_between(r, -size, size);
    return firn_dv3(x, y, any_between(r, -size, size));
}

static double length(firn_dvec3 a)
{
    return sqrt(firn_dv3_dot(a, a));
}

static void log_undoes_exp(void** state)
{
    (void)state;
    any_source r = any_start(61);
    const double sizes[] = {1e-200, 1e-12, 1e-6, 1e-3, 0.1, 1, 3.1};
    for (int q = 0; q < 20000; q++) {
        firn_dvec3 w = any_dvec3(&r, 1);
        const double scale = sizes[q % 7] / length(w);
        w = firn_dv3_madd(firn_dv3(0, 0, 0), scale, w);
        const firn_dvec3 back = firn_rotation_log(firn_rotation_exp(w));
        assert_at_most(length(firn_dv3_madd(back, -1, w)), 4e-15 * length(w));
    }
    // half a turn has two logs, both right; more than half comes back the short way
    const double pi = 3.14159265358979323846;
    const firn_dvec3 half = firn_rotation_log(firn_rotation_exp(firn_dv3(0, pi, 0)));
    assert_near(fabs(half.v[1]), pi, 1e-14);
    const firn_dvec3 more = firn_rotation_log(firn_rotation_exp(firn_dv3(0, 0, 4)));
    assert_near(more.v[2], 4 - 2 * pi, 1e-14);
    const firn_dvec3 none = firn_rotation_log((firn_dquat){{1, 0, 0, 0}});
    assert_equal(length(none), 0);
}

// The spin of exp(w + t r) at t = 0 by a central difference of rotations.
static void rate_is_the_derivative(void** state)
{
    (void)state;
    any_source r = any_start(62);
    const double h = 1e-5;
    for (int q = 0; q < 5000; q++) {
        const double size[] = {1e-9, 0.01, 0.0999, 0.101, 1, 3};
        const firn_dvec3 w = any_dvec3(&r, size[q % 6]), rate = any_dvec3(&r, 1);
        const firn_dquat ahead = firn_rotation_exp(firn_dv3_madd(w, h, rate));
        const firn_dquat behind = firn_rotation_exp(firn_dv3_madd(w, -h, rate));
        const firn_dvec3 turn = firn_rotation_log(firn_dq_mul(ahead, firn_dq_conjugate(behind)));
        const firn_dvec3 spin = firn_rotation_rate(w, rate);
        // difference error h^2, rounding 1e-16 / h
        assert_less(length(firn_dv3_madd(spin, -1 / (2 * h), turn)), 1e-9);
    }
}

static void rate_and_its_inverse(void** state)
{
    (void)state;
    any_source r = any_start(63);
    const double sizes[] = {0, 1e-9, 0.01, 0.049, 0.051, 0.099, 0.101, 1, 3, 3.14159};
    for (int q = 0; q < 10000; q++) {
        firn_dvec3 w = any_dvec3(&r, 1);
        w = firn_dv3_madd(firn_dv3(0, 0, 0), sizes[q % 10] / length(w), w);
        const firn_dvec3 spin = any_dvec3(&r, 1);
        const firn_dvec3 back = firn_rotation_rate(w, firn_rotation_rate_inverse(w, spin));
        assert_less(length(firn_dv3_madd(back, -1, spin)), 3e-14);
    }
}

int test_rotation_vector(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(log_undoes_exp),
                                       cmocka_unit_test(rate_is_the_derivative),
                                       cmocka_unit_test(rate_and_its_inverse)};
    return cmocka_run_group_tests_name("rotation_vector", tests, NULL, NULL);
}
