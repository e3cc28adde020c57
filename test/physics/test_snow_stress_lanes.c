// SPDX-License-Identifier: MIT
// Stress and energy in lanes against physics/snow_stress.h: P F_E^T by another formula.
#include "physics/snow_stress_lanes.h"

#include "lanes_check.h"
#include "precise.h"

#define COUNT 8192

static const firn_lame lame = {(firn_real)58333.33, (firn_real)38888.89};
static lanes_elastic of[COUNT], among[2 * COUNT];
static lanes_response got[COUNT], scalar[COUNT], before[COUNT], spread[2 * COUNT];

static firn_mat3 case_of(any_source* r, int kind)
{
    switch (kind) {
    case 0: return any_stretched(r, 0.975, 1.0075);  // where the clamp keeps snow
    case 1: return any_stretched(r, 0.94, 1.06);     // about the end of the series
    case 2: return any_stretched(r, 0.3, 2);
    case 3: return any_rotation(r);
    default: return any_mat3(r, (firn_real)1.5);  // inverted ones too
    }
}

static void as_scalar(void** state)
{
    (void)state;
    any_source r = any_start(4601);
    for (int n = 0; n < COUNT; n++)
        of[n] = (lanes_elastic){case_of(&r, n % 5), any_mat3(&r, 1), lame};
    spread_among_garbage(&r, COUNT, sizeof *of, of, among);
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->respond(COUNT, of, got);
        k->respond_scalar(COUNT, of, scalar);
        for (int n = 0; n < COUNT; n++) {
            const double size = (double)precise_norm(precise_from(of[n].F_E)), s = fmax(size, 1);
            // an absolute error of a few epsilon in F - R and J - 1, times the moduli; R's own
            // error grows where two stretches nearly cancel (kind 4 only)
            const double error = 16 * (double)FIRN_REAL_EPSILON * (n % 5 == 4 ? 100 : 1);
            const double modulus = 2 * (double)lame.mu * s * s + (double)lame.lambda * pow(s, 6);
            assert_at_most(precise_distance(precise_from(got[n].tau), precise_from(scalar[n].tau)),
                           error * modulus);
            assert_at_most(
                precise_distance(precise_from(got[n].tau_from_X), precise_from(scalar[n].tau)),
                error * modulus);
            assert_near(got[n].energy, scalar[n].energy, error * modulus * (n % 5 < 2 ? 0.2 : s));
        }
        k->respond(2 * COUNT, among, spread);
        assert_same_among_garbage(COUNT, sizeof *got, got, spread);
        assert_same_as_level_before(k, sizeof got, before, got);
    }
}

// A stretch of 1 % along one axis, by hand: R = I, so P F^T = 2 mu 0.01*1.01 + lambda 0.01*1.01.
static void by_hand(void** state)
{
    (void)state;
    const firn_real a = (firn_real)1.01;
    lanes_elastic one[16];
    lanes_response out[16];
    for (int n = 0; n < 16; n++)
        one[n] = (lanes_elastic){firn_m3_diagonal(a, 1, 1), firn_m3_identity(), lame};
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->respond(16, one, out);
        const double e = (double)a * ((double)a - 1), tolerance = 4 * (double)FIRN_REAL_EPSILON;
        const double mu = (double)lame.mu, lambda = (double)lame.lambda;
        for (int n = 0; n < 16; n++) {
            assert_near(out[n].tau.m[0][0], (2 * mu + lambda) * e, tolerance * (2 * mu + lambda));
            assert_near(out[n].tau.m[1][1], lambda * e, tolerance * lambda);
            assert_equal(out[n].tau.m[0][1], 0);
            assert_equal(out[n].tau.m[1][2], 0);
        }
    }
}

int test_snow_stress_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_scalar), cmocka_unit_test(by_hand)};
    return cmocka_run_group_tests_name("snow_stress_lanes", tests, NULL, NULL);
}
