// SPDX-License-Identifier: MIT
// Procedural surfaces: means, antialiasing, and what a pixel of a given width still shows.
#include "render/pattern.h"

#include <math.h>

#include "firn_test.h"
#include "math/random.h"

static const char* const names[] = {"asphalt", "rock", "wood", "ice", "snow"};
enum { POINTS = 40000 };

typedef struct moments {
    double mean, deviation, roughness;
} moments;

// Over random points of a floor of 40 m.
static moments measure(int32_t kind, firn_real footprint)
{
    double sum = 0, square = 0, rough = 0;
    for (uint64_t k = 0; k < POINTS; k++) {
        const firn_vec3 x = firn_v3((firn_real)(40 * firn_random_unit(1, k)), 0,
                                    (firn_real)(40 * firn_random_unit(2, k)));
        const firn_pattern p = firn_pattern_at(kind, x, firn_v3(0, 1, 0), 1, footprint);
        assert_true(p.factor.r >= 0 && p.factor.g >= 0 && p.factor.b >= 0);
        assert_true(p.factor.r < 6 && p.roughness >= 0 && p.roughness < 6);
        sum += (double)p.factor.g;
        square += (double)p.factor.g * (double)p.factor.g;
        rough += (double)p.roughness;
    }
    sum /= POINTS;
    return (moments){sum, sqrt(fmax(square / POINTS - sum * sum, 0)), rough / POINTS};
}

// Light that snow gets is that of the mean colour: the pattern must keep it, at every distance.
static void the_mean_is_one(void** state)
{
    (void)state;
    for (int32_t kind = FIRN_LOOK_ASPHALT; kind <= FIRN_LOOK_SNOW; kind++)
        for (int k = 0; k < 4; k++) {
            static const double widths[] = {0, 0.005, 0.05, 5};
            const moments m = measure(kind, (firn_real)widths[k]);
            print_message("%s, pixels of %g m: %.3f +- %.3f, roughness %.2f\n",
                          names[kind - FIRN_LOOK_ASPHALT], widths[k], m.mean, m.deviation,
                          m.roughness);
            assert_near(m.mean, 1, 0.03);  // random points: 0.002
        }
}

// The wider a pixel, the less it varies; far away hardly anything is left.
static void pixels_average(void** state)
{
    (void)state;
    for (int32_t kind = FIRN_LOOK_ASPHALT; kind <= FIRN_LOOK_SNOW; kind++) {
        double before = 1e9;
        for (double width = 0.0005; width < 20; width *= 8) {
            const double now = measure(kind, (firn_real)width).deviation;
            assert_true(now <= before * 1.02 + 1e-6);
            before = now;
        }
        assert_less(before, kind == FIRN_LOOK_WOOD ? 0.13 : 1e-6);  // planks keep their tone
    }
}

// Neighbouring points of a wide pixel look alike: no aliasing between pixels.
static void wide_pixels_are_smooth(void** state)
{
    (void)state;
    for (int32_t kind = FIRN_LOOK_ASPHALT; kind <= FIRN_LOOK_SNOW; kind++) {
        const firn_real width = (firn_real)0.1;
        double worst = 0, mean = 0;
        for (uint64_t k = 0; k < 2000; k++) {
            const firn_vec3 x = firn_v3((firn_real)(40 * firn_random_unit(3, k)), 0,
                                        (firn_real)(40 * firn_random_unit(4, k)));
            const firn_vec3 y = firn_v3_add(x, firn_v3(width / 4, 0, 0));
            const firn_vec3 up = firn_v3(0, 1, 0);
            const double step = fabs((double)firn_pattern_at(kind, x, up, 1, width).factor.g -
                                     (double)firn_pattern_at(kind, y, up, 1, width).factor.g);
            worst = fmax(worst, step);
            mean += step / 2000;
        }
        if (!(mean < 0.05)) fail_msg("%s: steps of %g", names[kind - FIRN_LOOK_ASPHALT], mean);
        assert_less(worst, 0.6);
    }
}

// `scale` makes the pattern larger; a colour stays one that reflects at most what it gets.
static void size_and_colour(void** state)
{
    (void)state;
    const firn_vec3 x = firn_v3(0.3f, 0.1f, 0.7f), up = firn_v3(0, 1, 0);
    for (int32_t kind = FIRN_LOOK_ASPHALT; kind <= FIRN_LOOK_SNOW; kind++) {
        const firn_pattern a = firn_pattern_at(kind, x, up, 1, 0.001f);
        const firn_pattern b = firn_pattern_at(kind, firn_v3_scale(x, 4), up, 4, 0.004f);
        assert_near(a.factor.g, b.factor.g, 1e-4);
        const firn_rgb c = firn_pattern_colour(&a, firn_rgb_of(1, 1, 1));
        assert_true(c.r <= 1 && c.g <= 1 && c.b <= 1);
    }
    const firn_pattern none = firn_pattern_at(FIRN_LOOK_ROUGH, x, up, 1, 0.01f);
    assert_equal(none.factor.g, 1);
    assert_equal(none.roughness, 1);
}

int test_pattern(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_one), cmocka_unit_test(pixels_average),
        cmocka_unit_test(wide_pixels_are_smooth), cmocka_unit_test(size_and_colour)};
    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
