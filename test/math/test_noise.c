// SPDX-License-Identifier: MIT
// Gradient noise: bounded, smooth across cells, zero on the lattice, the same for the same seed.
#include "math/noise.h"

#include "figure.h"
#include "seed.h"

static void bounded_and_centred(void** state)
{
    (void)state;
    any_source r = any_start(301);
    double sum = 0, low = 0, high = 0, octaves = 0, square = 0;
    const int count = 200000;
    for (int n = 0; n < count; n++) {
        const double x = any_between(&r, -1e3, 1e3), y = any_between(&r, -1e3, 1e3);
        const double z = any_between(&r, -1e3, 1e3), v = firn_noise(5, x, y, z);
        sum += v;
        square += v * v;
        low = fmin(low, v);
        high = fmax(high, v);
        octaves = fmax(octaves, fabs(firn_noise_octaves(5, x, y, z, 4)));
    }
    assert_at_least(low, -1.1);
    assert_at_most(high, 1.1);
    assert_at_most(octaves, 1.1);
    assert_less(low, -0.7);
    assert_greater(high, 0.7);  // and it uses its range
    // sd of the mean: an rms of at most sqrt(0.12) over sqrt(200000) is 8e-4
    assert_near(sum / count, 0, 0.005);
    assert_greater(square / count, 0.04);
    assert_less(square / count, 0.12);
}

// Value and slope agree on both sides of a cell's face (the fade has two vanishing derivatives).
static void smooth(void** state)
{
    (void)state;
    any_source r = any_start(302);
    const double d = 1e-6;
    for (int n = 0; n < 5000; n++) {
        const double k = floor(any_between(&r, -50, 50));
        const double y = any_between(&r, -50, 50), z = any_between(&r, -50, 50);
        const double here = firn_noise(7, k, y, z);
        const double left = firn_noise(7, k - d, y, z), right = firn_noise(7, k + d, y, z);
        assert_near(left, here, 5 * d);
        assert_near(right, here, 5 * d);
        // a second derivative of some 10, times d^2; a kink would leave its slope times d
        assert_near(right - here, here - left, 1e-9);
        const double far = firn_noise(7, k, y + d, z);
        assert_near(far, here, 5 * d);
    }
}

static void zero_on_the_lattice(void** state)
{
    (void)state;
    for (int n = -20; n < 20; n++) assert_equal(firn_noise(1, n, 2 * n, -n), 0);
}

// Another seed is another pattern; a shift by lattice cells is not a repetition.
static void seeds_differ(void** state)
{
    (void)state;
    any_source r = any_start(303);
    double same = 0, seed = 0, shift[3] = {0};
    for (int n = 0; n < 20000; n++) {
        const double x = any_between(&r, 0, 200), y = any_between(&r, 0, 200);
        const double z = any_between(&r, 0, 200), v = firn_noise(1, x, y, z);
        assert_equal(v, firn_noise(1, x, y, z));
        same += v * v;
        seed += v * firn_noise(2, x, y, z);
        shift[0] += v * firn_noise(1, x + 1, y, z);
        shift[1] += v * firn_noise(1, x, y + 1, z);
        shift[2] += v * firn_noise(1, x, y, z + 1);
    }
    assert_near(seed, 0, 0.05 * same);
    // neighbouring cells share four corners, hence some negative correlation is right
    for (int a = 0; a < 3; a++) assert_near(shift[a], 0, 0.35 * same);
}

static void octaves_add_detail(void** state)
{
    (void)state;
    assert_equal(firn_noise_octaves(4, 0.3, 0.4, 0.5, 0), 0);
    assert_equal(firn_noise_octaves(4, 0.3, 0.4, 0.5, 1), firn_noise(4, 0.3, 0.4, 0.5));
    const double two = (firn_noise(4, 0.3, 0.4, 0.5) + 0.5 * firn_noise(5, 0.6, 0.8, 1.0)) / 1.5;
    assert_near(firn_noise_octaves(4, 0.3, 0.4, 0.5, 2), two, 1e-15);  // roundings of double
}

// The curl is that of a potential: no divergence, by differences of second order.
static void curl_has_no_sources(void** state)
{
    (void)state;
    const double e = 1e-5;
    double worst = 0, square[3] = {0};
    for (int k = 0; k < 3000; k++) {
        double x[3], centre[3], divergence = 0;
        for (int d = 0; d < 3; d++) x[d] = 80 * firn_random_unit(11, (uint64_t)(3 * k + d)) - 40;
        firn_noise_curl(5, x, centre);
        for (int d = 0; d < 3; d++) {
            double ahead[3], behind[3];
            square[d] += centre[d] * centre[d] / 3000;
            x[d] += e;
            firn_noise_curl(5, x, ahead);
            x[d] -= 2 * e;
            firn_noise_curl(5, x, behind);
            x[d] += e;
            divergence += (ahead[d] - behind[d]) / (2 * e);
        }
        worst = fmax(worst, fabs(divergence));
    }
    assert_less(worst, 1e-6);    // e^2 times third derivatives of some 1e3, and roundings over e
    for (int d = 0; d < 3; d++)  // 3000 points, not all of them independent
        assert_near(sqrt(square[d]) / FIRN_NOISE_CURL_RMS, 1, 0.08);
}

int test_noise(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounded_and_centred), cmocka_unit_test(smooth),
        cmocka_unit_test(zero_on_the_lattice), cmocka_unit_test(seeds_differ),
        cmocka_unit_test(octaves_add_detail),  cmocka_unit_test(curl_has_no_sources)};
    return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
