// SPDX-License-Identifier: MIT
// Light in packed snow: what deep snow gives back (VALIDATION.md T33), and that cells of any
// thickness agree on it.
#include "render/preview/snow/snow_medium.h"

#include "firn_test.h"

// Tolerances: 1.5e-3 for a fit that is good to 0.001, 1e-3 for sums over layers; 1e-4 and less are
// roundings of float in differences.

static void deep_snow_gives_back_what_it_should(void** state)
{
    (void)state;
    // T33, diffuse light on a half space, g = 0.5; the fit is good to 0.001
    assert_near(firn_snow_band_make(0.9, 0.5, 10).white, 0.3602, 1.5e-3);
    assert_near(firn_snow_band_make(0.95, 0.5, 10).white, 0.4864, 1.5e-3);
    assert_equal(firn_snow_band_make(1, 0.5, 10).white, 1);
    assert_equal(firn_snow_band_make(0, 0.5, 10).white, 0);
    // and it is a share for any medium a scene may ask for
    for (int k = 0; k <= 20; k++)
        for (int j = -9; j <= 9; j++) {
            const firn_snow_band b = firn_snow_band_make(0.05 * k, 0.11 * j, 4);
            assert_at_least(b.white, 0);
            assert_at_most(b.white, 1);
            assert_at_least(b.crumb, b.white);
            assert_at_most(b.crumb, 1);
            assert_at_least(b.give, 0);
            assert_at_most(b.give, 1);
            assert_at_least(b.glow, 0);
            assert_greater(b.skin, 0);
        }
}

// Deep snow as a row of cells below a surface with E = 1, alike sideways: what leaves it.
static double row_of_cells(const firn_snow_band* b)
{
    enum { CELLS = 400 };
    double u[CELLS + 1];
    // from below: each cell passes on a share of the light of the one above it
    double share = 0;
    for (int k = CELLS; k > 0; k--) {
        const double own = 6.0 * (double)b->link_own - 4.0 * (double)b->link;
        share = (double)b->link / (own - (double)b->link * share);
        u[k] = share;
    }
    const double own = 5.0 * (double)b->link_own - 4.0 * (double)b->link + (double)b->skin_own;
    const double top = (double)b->skin / (own - (double)b->link * u[1]);
    return (double)b->give + (double)b->glow * top;
}

static void cells_of_any_thickness_agree(void** state)
{
    (void)state;
    static const double albedos[] = {0.9, 0.95, 0.996, 0.998};
    for (int a = 0; a < 4; a++)
        for (double thick = 3; thick < 200; thick *= 1.5) {
            const firn_snow_band b = firn_snow_band_make(albedos[a], 0.5, thick);
            const double out = row_of_cells(&b);
            assert_near(out, b.white, 1e-3);
        }
    // thick cells: light comes back from where it went in
    const firn_snow_band thick = firn_snow_band_make(0.9, 0.5, 200);
    assert_near(thick.give, thick.white, 1e-4f);
    assert_less(thick.glow, 1e-4f);
    // thin cells: light wanders, but detail is not lost
    const firn_snow_band thin = firn_snow_band_make(0.998, 0.5, 1);
    assert_equal(thin.give, FIRN_SNOW_GIVE_LEAST);
    assert_greater(thin.glow, 0.3f);
}

static void white_snow_keeps_all_light(void** state)
{
    (void)state;
    for (double thick = 0.01; thick < 1e6; thick *= 3) {
        const firn_snow_band b = firn_snow_band_make(1, 0.5, thick);
        assert_greater(b.link, 0);
        assert_equal(b.link, b.link_own);  // nothing is swallowed on the way
        assert_greater(b.skin, 0);
        assert_near(b.skin, b.skin_own, 1e-6f * b.skin + 1e-9f);
        assert_near(b.give + b.glow, 1, 1e-5f);
    }
}

static void thickness_follows_density(void** state)
{
    (void)state;
    const firn_medium_block block = {
        .extinction = 724, .density = 400, .albedo = {0.9, 0.95, 1}, .anisotropy = 0.5};
    firn_snow_volume v = {.voxel = (firn_real)0.005, .volume = 1e-6f, .mass = 4e-4f};
    const firn_snow_medium m = firn_snow_medium_make(&block, &v, true);
    const firn_snow_band same = firn_snow_band_make(0.9, 0.5, 7.24);  // 10 mm
    assert_near(m.band[0].give, same.give, 1e-4f);
    assert_near(m.band[0].link, same.link, 1e-4f);
    assert_equal(m.g, 0.5f);
    assert_equal(m.band[1].albedo, 0.95f);
    assert_equal(m.band[2].white, 1);
    v.mass *= 2;  // twice as dense
    const firn_snow_band twice = firn_snow_band_make(0.9, 0.5, 14.48);
    assert_near(firn_snow_medium_make(&block, &v, true).band[0].link, twice.link, 1e-4f);
    // unknown masses: the density that the extinction is for
    assert_near(firn_snow_medium_make(&block, &v, false).band[0].link, same.link, 1e-4f);
    // nothing to divide by, nothing to scatter: still numbers
    const firn_medium_block none = {0};
    v = (firn_snow_volume){0};
    const firn_snow_medium odd = firn_snow_medium_make(&none, &v, true);
    assert_greater(odd.band[0].link_own, 0);
    assert_greater(odd.band[0].skin_own, 0);
    assert_equal(odd.band[0].give, 0);
}

int test_snow_medium(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_snow_gives_back_what_it_should),
        cmocka_unit_test(cells_of_any_thickness_agree),
        cmocka_unit_test(white_snow_keeps_all_light),
        cmocka_unit_test(thickness_follows_density),
    };
    return cmocka_run_group_tests_name("snow_medium", tests, NULL, NULL);
}
