// SPDX-License-Identifier: MIT
// Colours of snow by a field.
#include "render/preview/tint.h"

#include "firn_test.h"

// Each set of colours begins and ends as its name says; half-way is between.
static void colours_by_name(void** state)
{
    (void)state;
    firn_colour_block block = {FIRN_FRAME_DENSITY, 100, 900, FIRN_COLOURS_WHITE_BLACK};
    firn_tint t = firn_tint_make(&block, NULL);
    assert_greater(firn_rgb_luminance(firn_tint_colour(&t, 50)), 0.9f);
    assert_less(firn_rgb_luminance(firn_tint_colour(&t, 900)), 0.03f);
    const float middle = firn_rgb_luminance(firn_tint_colour(&t, 500));
    assert_greater(middle, 0.15f);
    assert_less(middle, 0.25f);
    block = (firn_colour_block){FIRN_FRAME_BROKEN, 0, 1, FIRN_COLOURS_WHITE_BROWN};
    t = firn_tint_make(&block, NULL);
    const firn_rgb brown = firn_tint_colour(&t, 1);
    assert_greater(brown.r, 2 * brown.g);
    assert_greater(brown.g, 2 * brown.b);
    assert_greater(firn_rgb_luminance(firn_tint_colour(&t, 0)), 0.9f);
    block = (firn_colour_block){FIRN_FRAME_PHASE, 0, 2, FIRN_COLOURS_PHASES};
    t = firn_tint_make(&block, NULL);
    const firn_rgb snow = firn_tint_colour(&t, 0), ice = firn_tint_colour(&t, 1);
    const firn_rgb water = firn_tint_colour(&t, 2);
    assert_greater(snow.r, 0.9f);
    assert_greater(snow.b, 0.9f);
    assert_greater(ice.r, 0.4f);
    assert_greater(ice.b, ice.r);
    assert_less(ice.b, 0.7f);
    assert_greater(water.b, 4 * water.r);
}

int test_tint(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(colours_by_name)};
    return cmocka_run_group_tests_name("tint", tests, NULL, NULL);
}
