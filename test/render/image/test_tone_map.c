// SPDX-License-Identifier: MIT
// Tone mapping by name: grey, white, monotony, and hues.
#include "render/image/tone_map.h"

#include "firn_test.h"

static firn_rgb grey(int32_t tone, float x)
{
    return firn_tone_map(tone, firn_rgb_of(x, x, x));
}

static void grey_is_the_same(void** state)
{
    (void)state;
    const float want = firn_tone_curve(0.18f);
    for (int32_t tone = FIRN_TONE_SHOULDER; tone <= FIRN_TONE_AGX; tone++) {
        if (tone == FIRN_TONE_LINEAR) continue;
        const firn_rgb c = grey(tone, 0.18f);
        // rows of the published matrices sum to 1 within 1e-4, and scales have four digits
        assert_near(c.r, want, 3e-4);
        assert_near(c.g, want, 3e-4);
        assert_near(c.b, want, 3e-4);
    }
    assert_near(grey(FIRN_TONE_LINEAR, 0.18f).g, 0.18f, 0);
}

static void brighter_stays_brighter(void** state)
{
    (void)state;
    for (int32_t tone = FIRN_TONE_SHOULDER; tone <= FIRN_TONE_AGX; tone++) {
        float previous = -1;
        for (float x = 1e-3f; x < 16; x *= 1.02f) {
            const firn_rgb c = grey(tone, x);
            assert_greater(c.g, previous);
            previous = c.g;
        }
        // black is black (to a code of 8 bits), and nothing is lost in numbers
        assert_less(grey(tone, 0).g, 0.0004f);
        const firn_rgb far = grey(tone, 1e6f), below = grey(tone, -1);
        assert_true(far.g > 0.9f && far.g - far.g == 0 && below.g - below.g == 0);
    }
    // where each becomes white
    assert_near(grey(FIRN_TONE_FILMIC, 11.2f / 3.621f).g, 1, 1e-5);
    assert_near(grey(FIRN_TONE_LINEAR, 1).g, 1, 0);
    assert_greater(grey(FIRN_TONE_AGX, 0.18f * 16).g, 0.75f);  // four stops: not yet white
    assert_less(grey(FIRN_TONE_AGX, 0.18f * 16).g, 0.95f);
}

// A bright saturated blue: per channel curves clip it to the corner of the display, AgX goes
// towards white, as film does.
static void bright_colours(void** state)
{
    (void)state;
    const firn_rgb blue = firn_rgb_of(0.05f, 0.1f, 8);
    const firn_rgb agx = firn_tone_map(FIRN_TONE_AGX, blue);
    const firn_rgb shoulder = firn_tone_map(FIRN_TONE_SHOULDER, blue);
    assert_less(shoulder.r, 0.08f);
    assert_greater(agx.r, 0.2f);
    assert_greater(agx.b, agx.r);
    // a grey stays grey
    for (float x = 0.01f; x < 8; x *= 2)
        for (int32_t tone = FIRN_TONE_SHOULDER; tone <= FIRN_TONE_AGX; tone++) {
            const firn_rgb c = grey(tone, x);
            assert_near(c.r, c.g, 2e-3);
            assert_near(c.b, c.g, 2e-3);
        }
}

int test_tone_map(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grey_is_the_same),
                                       cmocka_unit_test(brighter_stays_brighter),
                                       cmocka_unit_test(bright_colours)};
    return cmocka_run_group_tests_name("tone_map", tests, NULL, NULL);
}
