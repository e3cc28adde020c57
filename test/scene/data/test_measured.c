// SPDX-License-Identifier: MIT
// Measured snow against values worked out by hand from the published formulas, and what the
// constants of Stomakhin's law mean for a bar.
#include "scene/data/measured.h"

#include <math.h>

#include "firn_test.h"

static void assert_within(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.9g, expected %.9g", value, expected);
}

// by an independent calculation, seven digits
static void formulas_have_their_values(void** state)
{
    (void)state;
    assert_within(firn_measured_young(250), 7.767562e6, 1e-5);
    assert_within(firn_measured_young(100), 8.310680e5, 1e-5);
    assert_within(firn_measured_tensile_strength(250, FIRN_GRAINS_ROUNDED), 3.568389e3, 1e-5);
    assert_within(firn_measured_tensile_strength(250, FIRN_GRAINS_FACETED), 1.861791e3, 1e-4);
    assert_within(firn_measured_shear_strength(250), 1.530754e3, 1e-4);
    assert_within(firn_measured_conductivity(250), 0.1495, 1e-9);
    assert_within(firn_measured_conductivity(500), 0.5875, 1e-9);
    assert_within(firn_measured_heat_capacity(-5), 2062.264, 1e-6);
    assert_within(firn_measured_viscosity(250, -5), 3.948485e9, 1e-4);
    assert_within(firn_measured_viscosity(100, 0), 3.041076e7, 1e-4);
}

// Stronger, stiffer and better conducting the denser it is; faceted snow is weaker.
static void denser_is_more(void** state)
{
    (void)state;
    for (double rho = 50; rho < 500; rho += 10) {
        assert_true(firn_measured_young(rho + 10) > firn_measured_young(rho));
        assert_true(firn_measured_conductivity(rho + 10) > firn_measured_conductivity(rho));
        assert_true(firn_measured_tensile_strength(rho + 10, FIRN_GRAINS_ROUNDED) >
                    firn_measured_tensile_strength(rho, FIRN_GRAINS_ROUNDED));
        assert_true(firn_measured_tensile_strength(rho, FIRN_GRAINS_FACETED) <
                    firn_measured_tensile_strength(rho, FIRN_GRAINS_ROUNDED));
    }
}

// A bar pulled to theta_s, free to get thinner, carries its tensile strength: by the elastic law
// that the solvers use, not by the formula that chose theta_s. Linear to theta_s of some 1e-3.
static void a_bar_breaks_at_its_strength(void** state)
{
    (void)state;
    for (double rho = 100; rho <= 500; rho += 100) {
        const firn_measured_snow given = {rho, -5, FIRN_GRAINS_ROUNDED};
        const firn_snow_material m = firn_measured_material(&given);
        const firn_lame lame = firn_snow_lame(m.young, m.poisson);
        const double along = (double)m.critical_stretch, across = -(double)m.poisson * along;
        const double trace = along + 2 * across;
        const double stress = 2 * (double)lame.mu * along + (double)lame.lambda * trace;
        assert_within(stress, firn_measured_tensile_strength(rho, FIRN_GRAINS_ROUNDED), 1e-4);
        assert_true(fabs(2 * (double)lame.mu * across + (double)lame.lambda * trace) <
                    1e-4 * stress);
        // packed by 1 %, it is as stiff as snow of its new density
        const double packed = (double)m.young * exp((double)m.hardening * (1 - 1 / 1.01));
        assert_within(packed, firn_measured_young(1.01 * rho), 1e-3);
    }
}

int test_measured(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas_have_their_values),
                                       cmocka_unit_test(denser_is_more),
                                       cmocka_unit_test(a_bar_breaks_at_its_strength)};
    return cmocka_run_group_tests_name("measured", tests, NULL, NULL);
}
