// SPDX-License-Identifier: MIT
// Creep of one particle against the Maxwell body: relaxation at a fixed shape, flow under a fixed
// load, both exact for steps of any size; volume that flows; viscosity by density.
#include "physics/snow_creep.h"

#include <math.h>

#include "firn_test.h"
#include "physics/measured_snow.h"

static void assert_within(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.9g, expected %.9g", value, expected);
}

// The law of a material agrees with the formula of all densities, at any temperature.
static void viscosity_of_measured_snow(void** state)
{
    (void)state;
    for (double T = -20; T <= 0; T += 5)
        for (double start = 60; start < 400; start += 110) {
            const firn_creep_law law = {(firn_real)firn_measured_viscosity(start, T),
                                        (firn_real)0.023, (firn_real)start};
            for (double rho = start; rho < 500; rho *= 1.2)
                assert_within((double)firn_creep_viscosity(&law, (firn_real)rho),
                              firn_measured_viscosity(rho, T), 2e-5);  // exp of 10 in float
        }
}

// kept and share against their definitions, also where they cancel.
static void steps_have_their_values(void** state)
{
    (void)state;
    for (double x = 1e-6; x < 1e3; x *= 1.7)
        for (double beta = 0; beta <= 1; beta += 0.5) {
            const firn_creep_step s = firn_creep_step_of((firn_real)x, (firn_real)beta);
            const double X = (double)(firn_real)x, flowed = -expm1(-X);
            const double share = flowed / (X * (1 - (1 - beta) * flowed));
            assert_true(fabs((double)s.kept - exp(-X)) <= 3e-7);
            if (share < 2 && X < 5) assert_within((double)s.share, share, 1e-5);
            assert_true(s.share <= FIRN_CREEP_SHARE_MAX && s.share > 0);
        }
}

// A confined column is squeezed by 1 % and held: sigma = sigma_0 exp(-M t/eta), by 1, 10 or 1000
// steps. The law flows strain; stress is linear in it to 1 %.
static void held_snow_relaxes(void** state)
{
    (void)state;
    const double tau = 50, time = 100;
    for (int steps = 1; steps <= 1000; steps *= 10) {
        firn_mat3 F = firn_m3_identity();
        F.m[1][1] = (firn_real)0.99;
        firn_real J_P = 1;
        const firn_creep_step s = firn_creep_step_of((firn_real)(time / steps / tau), 1);
        for (int k = 0; k < steps; k++) {
            const firn_crept c = firn_creep_flow(F, J_P, s.kept);
            F = c.F_E;
            J_P = c.J_P;
        }
        const double strain = 1 - (double)F.m[1][1];
        // rounding of 1 - strain, 6e-8 a step at most
        if (!(fabs(strain - 0.01 * exp(-time / tau)) <= 1e-7 * sqrt(steps) + 2e-5 * strain))
            fail_msg("%d steps: strain %.9g, expected %.9g", steps, strain,
                     0.01 * exp(-time / tau));
        assert_within((double)firn_m3_det(F) * (double)J_P, 0.99, 1e-7 * steps + 1e-6);
    }
}

// A load of fixed stress: each step finds the strain whose stress balances it, as mpm does: at the
// end of the step (beta 1), at its start (0) or between. The rate of strain is sigma/eta for steps
// of 0.01 to 30 relaxation times.
static void loaded_snow_flows(void** state)
{
    (void)state;
    const double load = 1e-4;  // stress over M
    for (double x = 0.01; x < 40; x *= 3)
        for (double beta = 0; beta <= 1; beta += 0.5) {
            const firn_creep_step s = firn_creep_step_of((firn_real)x, (firn_real)beta);
            if (s.share >= FIRN_CREEP_SHARE_MAX) continue;
            double stored = 0, total = 0;
            for (int k = 0; k < 2000; k++) {
                const double share = (double)s.share;
                // share ((1 - beta) stored + beta (stored + d)) = load; beta 0: d that leads there
                const double d = beta > 0 ? (load / share - stored) / beta
                                          : load / share / (double)s.kept - stored;
                if (k >= 1000) total += d;
                stored = (double)s.kept * (stored + d);
            }
            if (!(fabs(total / 1000 / (load * x) - 1) < 1e-4))
                fail_msg("x %g, beta %g: rate %.6g of the exact one", x, beta,
                         total / 1000 / (load * x));
        }
}

// Turning snow does not change how it flows, and shear flows as compression does.
static void rotations_do_not_matter(void** state)
{
    (void)state;
    const double a = 0.7;
    const firn_mat3 R = {{{(firn_real)cos(a), (firn_real)-sin(a), 0},
                          {(firn_real)sin(a), (firn_real)cos(a), 0},
                          {0, 0, 1}}};
    firn_mat3 F = firn_m3_identity();
    F.m[0][1] = F.m[1][0] = (firn_real)0.004;
    F.m[2][2] = (firn_real)0.985;
    const firn_crept still = firn_creep_flow(F, 1, (firn_real)0.6);
    const firn_crept turned = firn_creep_flow(firn_m3_mul(R, F), 1, (firn_real)0.6);
    const firn_mat3 expected = firn_m3_mul(R, still.F_E);
    for (int k = 0; k < 9; k++)
        assert_true(fabs((double)turned.F_E.m[k / 3][k % 3] - (double)expected.m[k / 3][k % 3]) <
                    3e-7);
    assert_within((double)still.F_E.m[0][1], 0.6 * 0.004, 1e-4);
    assert_within(1 - (double)still.F_E.m[2][2], 0.6 * 0.015, 1e-4);
}

int test_snow_creep(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(viscosity_of_measured_snow), cmocka_unit_test(steps_have_their_values),
        cmocka_unit_test(held_snow_relaxes), cmocka_unit_test(loaded_snow_flows),
        cmocka_unit_test(rotations_do_not_matter)};
    return cmocka_run_group_tests_name("snow_creep", tests, NULL, NULL);
}
