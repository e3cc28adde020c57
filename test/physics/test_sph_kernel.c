// SPDX-License-Identifier: MIT
// The cubic spline of SPH: its integral, its derivative, what happens at its ends.
#include "physics/sph_kernel.h"

#include <math.h>

#include "firn_test.h"
#include "seed.h"

#define PI 3.14159265358979324

// Of W h^3, which is at most 1/pi: a dozen roundings of firn_real.
#ifdef FIRN_DOUBLE
#define ROUNDING 1e-13
#else
#define ROUNDING 1e-6
#endif

// Spheres of the midpoint rule, 4 pi r^2 W dr: the rule's own error is below 1e-7 with these many.
static void integral_is_one(void** state)
{
    (void)state;
    const double sizes[] = {1, 0.002, 30};
    for (int k = 0; k < 3; k++) {
        const double h = sizes[k], dr = h / 1000;
        double sum = 0;
        for (int n = 0; n < 2500; n++) {
            const double r = (n + 0.5) * dr;
            sum += 4 * PI * r * r * dr * (double)firn_sph_w((firn_real)r, (firn_real)h);
        }
        assert_near(sum, 1, 1e-6);  // and the rounding of r, W and h^3 in float
    }
}

// W' = dW/dr by central differences of the formula in double.
static double exact_w(double q)
{
    if (q < 1) return (1 - 1.5 * q * q + 0.75 * q * q * q) / PI;
    return q < 2 ? 0.25 * (2 - q) * (2 - q) * (2 - q) / PI : 0;
}

static void values_and_slopes(void** state)
{
    (void)state;
    any_source r = any_start(3401);
    const double h = 0.05;
    // the central difference is good to e^2 W''', at most 2e-10
    for (int n = 0; n < 10000; n++) {
        const double q = any_between(&r, 1e-3, 2.2), e = 1e-5;
        const double w = (double)firn_sph_w((firn_real)(q * h), (firn_real)h) * h * h * h;
        const double slope =
            (double)firn_sph_dw_over_r((firn_real)(q * h), (firn_real)h) * q * pow(h, 5);
        assert_near(w, exact_w(q), 4 * ROUNDING);
        assert_near(slope, (exact_w(q + e) - exact_w(q - e)) / (2 * e), 1e-9 + 8 * ROUNDING);
    }
}

static void ends(void** state)
{
    (void)state;
    const firn_real h = (firn_real)0.25;
    assert_equal(firn_sph_w(0, h), firn_sph_w0(h));
    assert_near((double)firn_sph_w0(h) * PI / 64, 1, ROUNDING);
    assert_equal(firn_sph_w(2 * h, h), 0);
    assert_equal(firn_sph_w(9 * h, h), 0);
    assert_equal(firn_sph_dw_over_r(2 * h, h), 0);
    assert_equal(firn_sph_dw_over_r(9 * h, h), 0);
    const double at_0 = (double)firn_sph_dw_over_r(0, h);
    assert_near(at_0 * PI * pow(0.25, 5) / -3, 1, ROUNDING);
}

int test_sph_kernel(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integral_is_one),
        cmocka_unit_test(values_and_slopes),
        cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
