// SPDX-License-Identifier: MIT
// T30: Henyey and Greenstein's phase function, and the fast functions under it.
#include "render/path/phase.h"

#include "figure.h"
#include "firn_test.h"

#define PI 3.14159265358979323846

static void T30_values(void** state)
{
    (void)state;
    check_figure(T30_forward, (double)firn_phase_value(0.5f, 1));
    check_figure(T30_backward, (double)firn_phase_value(0.5f, -1));
    static const float gs[] = {0.5f, -0.3f, 0.9f, 0};
    for (int k = 0; k < 4; k++) {
        double sum = 0;
        const int n = 200000;  // midpoints in the cosine
        for (int i = 0; i < n; i++)
            sum += (double)firn_phase_value(gs[k], (float)(-1 + (i + 0.5) * 2 / n));
        check_figure(T30_integral, sum * 2 / n * 2 * PI);
    }
}

static void T30_samples(void** state)
{
    (void)state;
    firn_rng r = firn_rng_make(30, 0, 0);
    const firn_f3 d = {0.48f, -0.6f, 0.64f};
    double cosine = 0, square = 0, across[3] = {0, 0, 0}, worst = 0;
    const int n = 1000000;
    for (int k = 0; k < n; k++) {
        float pdf;
        const firn_f3 to = firn_phase_sample(0.5f, d, &r, &pdf);
        const double c = (double)(to.x * d.x + to.y * d.y + to.z * d.z);
        const double length = sqrt((double)(to.x * to.x + to.y * to.y + to.z * to.z));
        worst = fmax(worst, fabs(length - 1));
        // the cosine is found again from rounded directions; the lobe is steep
        assert_near((double)pdf / (double)firn_phase_value(0.5f, (float)c), 1, 2e-5);
        cosine += c;
        square += c * c;
        across[0] += (double)to.x - c * (double)d.x;
        across[1] += (double)to.y - c * (double)d.y;
        across[2] += (double)to.z - c * (double)d.z;
    }
    check_figure(T30_mean_cosine, cosine / n);
    check_figure(T30_mean_square, square / n);
    assert_less(worst, 3e-6);  // a rotation in float: some ten roundings
    for (int a = 0; a < 3; a++)
        assert_near(across[a] / n, 0, 0.002);  // all sides alike: sd below 1e-3
}

// A thousand turns in a row keep directions at unit length.
static void directions_do_not_drift(void** state)
{
    (void)state;
    firn_rng r = firn_rng_make(31, 0, 0);
    firn_f3 d = {0, 0, -1};
    for (int k = 0; k < 100000; k++) {
        float pdf;
        d = firn_phase_sample(0.9f, d, &r, &pdf);
        assert_near(d.x * d.x + d.y * d.y + d.z * d.z, 1, 3e-6);  // as above
    }
}

static void fast_functions_are_right(void** state)
{
    (void)state;
    double worst = 0, worst_turn = 0;
    for (uint32_t k = 0; k < (1u << 24); k += 97) {
        const float u = (float)k * (1.0f / 16777216.0f);
        const double exact = -log1p(-(double)u);
        if (k > 0) worst = fmax(worst, fabs((double)firn_exponential(u) / exact - 1));
        float s, c;
        firn_sincos_2pi(u, &s, &c);
        worst_turn = fmax(worst_turn, fabs((double)s - sin(2 * PI * (double)u)));
        worst_turn = fmax(worst_turn, fabs((double)c - cos(2 * PI * (double)u)));
    }
    assert_equal(firn_exponential(0), 0);
    assert_finite(firn_exponential(16777215.0f / 16777216.0f));
    if (worst > 1e-6 || worst_turn > 1e-6) fail_msg("ln %g, turns %g", worst, worst_turn);
}

int test_phase(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T30_values), cmocka_unit_test(T30_samples),
                                       cmocka_unit_test(directions_do_not_drift),
                                       cmocka_unit_test(fast_functions_are_right)};
    return cmocka_run_group_tests_name("phase", tests, NULL, NULL);
}
