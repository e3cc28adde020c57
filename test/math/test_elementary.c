// SPDX-License-Identifier: MIT
// Our own exp, log, sin, cos, atan2 and cube root against the C library, in units of the last
// place.
#include "math/elementary.h"

#include <float.h>

#include "figure.h"
#include "seed.h"

// |a - b| in units of the last place of b (a long double of more digits).
static double ulps(double a, long double b)
{
    int exponent;
    frexpl(b, &exponent);
    return (double)(fabsl((long double)a - b) / ldexpl(1, exponent - 53));
}

static void powers_of_two(void** state)
{
    (void)state;
    for (int k = -1022; k <= 1023; k++) assert_equal(firn_pow2(k), ldexp(1, k));
}

static void exp_in_double(void** state)
{
    (void)state;
    any_source r = any_start(201);
    double worst = 0;
    for (int n = 0; n < 200000; n++) {
        const double x = any_between(&r, n % 2 ? -700 : -12, n % 2 ? 709 : 12);
        worst = fmax(worst, ulps(firn_exp_double(x), expl((long double)x)));
    }
    check_figure(own_exp_ulps, worst);
    assert_equal(firn_exp_double(0), 1);
    assert_equal(firn_exp_double(-1e9), 0);
    assert_equal(firn_exp_double(-INFINITY), 0);
    assert_finite(firn_exp_double(1e9));
    assert_finite(firn_exp_double(INFINITY));
    assert_greater(firn_exp_double(1e9), 8e307);
    assert_nan(firn_exp_double(NAN));
}

// Hardening needs it monotonous: more compression never makes softer snow.
static void exp_in_firn_real(void** state)
{
    (void)state;
    double worst = 0;
    firn_real before = 0;
    for (int n = -8000; n <= 8000; n++) {
        const firn_real x = (firn_real)n / 100, e = firn_exp(x);
        assert_greater(e, before);
        before = e;
        const double expected = exp((double)x);
        worst = fmax(worst, fabs((double)e - expected) / expected);
    }
    check_figure(own_exp_real, worst);
    assert_finite(firn_exp((firn_real)1e30));
}

static void sin_and_cos(void** state)
{
    (void)state;
    any_source r = any_start(202);
    double worst = 0;
    for (int n = 0; n < 200000; n++) {
        const double range = n % 3 == 0 ? 1 : n % 3 == 1 ? 7 : 1e5;
        const double x = any_between(&r, -range, range);
        double s, c;
        firn_sincos_double(x, &s, &c);
        worst = fmax(worst, (double)fabsl((long double)s - sinl((long double)x)));
        worst = fmax(worst, (double)fabsl((long double)c - cosl((long double)x)));
    }
    check_figure(own_sincos, worst);
    double s, c;
    firn_sincos_double(0, &s, &c);
    assert_equal(s, 0);
    assert_equal(c, 1);
    for (int q = -9; q <= 9; q++) {  // the borders between quadrants, from both sides
        for (int side = -1; side <= 1; side++) {
            const double x = (q + 0.5) * 0.78539816339744831 + side * 1e-9;
            firn_sincos_double(x, &s, &c);
            // as figure own_sincos; sin and cos of libm are right to a last place
            assert_near(s, sin(x), 1e-15);
            assert_near(c, cos(x), 1e-15);
        }
    }
}

// Angles that are none: no rotation may become a scaling of 1e300.
static void sin_and_cos_of_anything(void** state)
{
    (void)state;
    const double angles[] = {1e15, 1e16, 1e20, 1e100, 1.7e308, INFINITY, (double)NAN};
    for (size_t k = 0; k < 14; k++) {
        double s, c;
        firn_sincos_double(k % 2 ? -angles[k / 2] : angles[k / 2], &s, &c);
        assert_equal(s, 0);
        assert_equal(c, 1);
    }
    for (double x = 1e5; x < 1e15; x *= 3) {
        double s, c;
        firn_sincos_double(x, &s, &c);
        // errors of x itself grow with it; the pair stays a rotation
        assert_near(s * s + c * c, 1, 1e-9);
    }
}

static void atan2_everywhere(void** state)
{
    (void)state;
    any_source r = any_start(203);
    double worst = 0;
    for (int n = 0; n < 100000; n++) {
        const double size = pow(10, any_between(&r, -100, 100));
        const double y = size * any_between(&r, -1, 1);
        const double x = size * any_between(&r, -1, 1) * (n % 2 ? 1 : 1e-3);
        worst = fmax(worst, (double)fabsl(firn_atan2_double(y, x) - atan2l(y, x)));
    }
    check_figure(own_atan2, worst);
    const double axes[][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    for (size_t k = 0; k < 8; k++) {
        const double expected = atan2(axes[k][0], axes[k][1]);
        // a last place of pi is 4.4e-16
        assert_near(firn_atan2_double(axes[k][0], axes[k][1]), expected, 5e-16);
    }
    assert_equal(firn_atan2_double(0, 0), 0);
}

static void cube_root(void** state)
{
    (void)state;
    any_source r = any_start(204);
    for (int n = 0; n < 100000; n++) {
        const double x = pow(10, any_between(&r, -300, 300));
        // a few last places of 2.2e-16: firn's own, the reference's and the quotient's
        assert_near(firn_cbrt_double(x) / (double)cbrtl(x), 1, 1e-15);
    }
    // exact, so that 8 or 27 particles divide a cell evenly
    for (double k = 1; k < 131072; k++) assert_equal(firn_cbrt_double(k * k * k), k);
}

static void logarithm(void** state)
{
    (void)state;
    any_source r = any_start(207);
    double worst = 0;
    for (int n = 0; n < 100000; n++) {
        const double x = n % 2 ? pow(10, any_between(&r, -300, 300)) : any_between(&r, 0.5, 2);
        worst = fmax(worst, ulps(firn_log_double(x), logl(x)));
    }
    print_message("log: %.2f ulp\n", worst);
    assert_less(worst, 3);  // where 2^k m has k = -1 and m near 2, ln 2 takes digits away
    assert_equal(firn_log_double(1), 0);
    for (int k = -1022; k < 1024; k += 73)
        assert_true(ulps(firn_log_double(firn_pow2(k)), k * logl(2)) < 1 || k == 0);
}

int test_elementary(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(powers_of_two),
                                       cmocka_unit_test(exp_in_double),
                                       cmocka_unit_test(exp_in_firn_real),
                                       cmocka_unit_test(sin_and_cos),
                                       cmocka_unit_test(sin_and_cos_of_anything),
                                       cmocka_unit_test(atan2_everywhere),
                                       cmocka_unit_test(cube_root),
                                       cmocka_unit_test(logarithm)};
    return cmocka_run_group_tests_name("elementary", tests, NULL, NULL);
}
