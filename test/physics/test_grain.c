// SPDX-License-Identifier: MIT
// What a grain's radius says about it, and when its bonds are broken (VALIDATION T42, T43).
#include "physics/grain.h"

#include "figure.h"
#include "physics/grain_table.h"

// 250 and 875 N/m, 6.25 and 9.375 N, 0.025 and 0.010714 m.
static void springs_and_strengths(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    check_figure(T42_snow_spring, (double)firn_grain_stiffness(&c, c.r_snow, FIRN_SNOW));
    check_figure(T42_ice_spring, (double)firn_grain_stiffness(&c, c.r_ice, FIRN_ICE));
    check_figure(T42_snow_pull, (double)firn_grain_strength(&c, c.r_snow));
    check_figure(T42_ice_pull, (double)firn_grain_strength(&c, c.r_ice));
    check_figure(T42_snow_gap, (double)firn_grain_gap(&c, c.r_snow, FIRN_SNOW));
    check_figure(T42_ice_gap, (double)firn_grain_gap(&c, c.r_ice, FIRN_ICE));
    assert_equal(firn_grain_gap(&c, c.r_water, FIRN_WATER), c.reach);
    // water's own stiffness, whatever its radius would say of snow
    const double water = (double)firn_grain_stiffness(&c, c.r_snow, FIRN_WATER);
    assert_near(water, 35000 * 0.05, 1e-3);  // 6e-7 of it: rounding
}

// Relative: a handful of roundings of float (1.2e-7).
#define ROUNDED 1e-6

// Density, share of snow and radius say the same; in between everything is mixed.
static void radius_density_share(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    assert_near(firn_grain_density(&c, c.r_snow), 100, 100 * ROUNDED);
    assert_near(firn_grain_density(&c, c.r_ice), 800, 800 * ROUNDED);
    assert_near(firn_grain_density(&c, c.r_water), 1000, 1000 * ROUNDED);
    for (int k = 0; k <= 10; k++) {
        const firn_real eta = (firn_real)k / 10, r = firn_grain_radius(&c, eta);
        assert_near(firn_grain_snow_share(&c, r), eta, ROUNDED);
        const double E = 35000 - 3000.0 * k, sigma = 3750 - 312.5 * k;
        const double spring = (double)firn_grain_stiffness(&c, r, FIRN_SNOW);
        assert_near(spring / (E * (double)r), 1, ROUNDED);
        const double strength = (double)firn_grain_strength(&c, r);
        assert_near(strength / (4 * sigma * (double)(r * r)), 1, ROUNDED);
    }
    // neither less than ice nor more than snow
    assert_equal(firn_grain_snow_share(&c, c.r_water), 0);
    assert_equal(firn_grain_snow_share(&c, 2 * c.r_snow), 1);
}

// Of n_max neighbours so many may be left before bonds are broken: below 3/4, not at it.
static void broken_at_three_quarters(void** state)
{
    (void)state;
    const struct {
        int n_max, broken, whole;
    } rows[] = {{4, 2, 3}, {8, 5, 6}, {12, 8, 9}, {3, 2, 3}, {1, 0, 1}};
    const firn_grain_constants c = grain_table();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int n = 0; n <= rows[k].n_max; n++) {
            const bool broken = firn_grain_breaks(&c, n, rows[k].n_max, false);
            assert_int_equal(broken, n <= rows[k].broken);
            assert_int_equal(!broken, n >= rows[k].whole);
            assert_int_equal(firn_grain_breaks(&c, n, rows[k].n_max, true), broken);  // heals
        }
    assert_false(firn_grain_breaks(&c, 0, 0, false));  // who never had neighbours lost none
}

static void forever_and_always(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.bonds = FIRN_BONDS_FOREVER;
    assert_true(firn_grain_breaks(&c, 2, 4, false));
    assert_false(firn_grain_breaks(&c, 3, 4, false));
    assert_true(firn_grain_breaks(&c, 4, 4, true));
    c.bonds = FIRN_BONDS_ALWAYS;
    assert_false(firn_grain_breaks(&c, 0, 12, false));
    assert_false(firn_grain_breaks(&c, 0, 12, true));
}

int test_grain(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_and_strengths), cmocka_unit_test(radius_density_share),
        cmocka_unit_test(broken_at_three_quarters), cmocka_unit_test(forever_and_always)};
    return cmocka_run_group_tests_name("grain", tests, NULL, NULL);
}
