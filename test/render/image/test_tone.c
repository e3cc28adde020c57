// SPDX-License-Identifier: MIT
// From light to bytes: the sRGB curve against its definition, the filmic curve's shape, the cheap
// exponential against the exact one.
#include "render/image/tone.h"

#include "firn_test.h"

static firn_tone tone;

static void srgb_by_definition(void** state)
{
    (void)state;
    firn_tone_init(&tone);
    for (int code = 0; code < 256; code++) {
        const double s = code / 255.0;
        const double linear = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
        assert_near(firn_tone_linear((uint8_t)code), linear, 1e-7);    // rounded to float
        assert_int_equal(firn_tone_code(&tone, (float)linear), code);  // there and back
    }
    for (int i = 1; i < 65536; i++) assert_at_least(tone.code[i], tone.code[i - 1]);
    assert_int_equal(firn_tone_code(&tone, -1), 0);
    assert_int_equal(firn_tone_code(&tone, (float)NAN), 0);
    assert_int_equal(firn_tone_code(&tone, 1e30f), 255);
    assert_int_equal(firn_tone_code(&tone, (float)INFINITY), 255);
}

static void curve(void** state)
{
    (void)state;
    assert_equal(firn_tone_curve(0), 0);
    assert_equal(firn_tone_curve(-3), 0);
    for (float x = 0.01f; x < 20; x *= 1.1f) {
        assert_greater(firn_tone_curve(x), firn_tone_curve(x * 0.99f));  // brighter stays brighter
        // and no contrast grows: the slope falls
        const float low = firn_tone_curve(x) - firn_tone_curve(0.5f * x);
        const float high = firn_tone_curve(1.5f * x) - firn_tone_curve(x);
        assert_less(high, low);
    }
    // sunlit snow keeps some room below white
    assert_greater(firn_tone_curve(1.2f), 0.75f);
    assert_less(firn_tone_curve(1.2f), 1);
}

static void fade(void** state)
{
    (void)state;
    assert_equal(firn_fade(0), 1);
    for (float x = 0.01f; x < 100; x += 0.07f) {
        const double exact = exp(-(double)x);
        // a fast approximation of exp(-x): 3e-4 of the light, which no code of 8 bits shows
        assert_near(firn_fade(x), exact, 3e-4);
        if (x < 6) assert_near(firn_fade(x), exact, 0.06 * exact);
        assert_less(firn_fade(x), firn_fade(x - 0.01f));
    }
    assert_at_least(firn_fade(1e30f), 0);
    assert_less(firn_fade(1e30f), 1e-6f);
}

int test_tone(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(srgb_by_definition),
        cmocka_unit_test(curve),
        cmocka_unit_test(fade),
    };
    return cmocka_run_group_tests_name("tone", tests, NULL, NULL);
}
