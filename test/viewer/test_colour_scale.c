// SPDX-License-Identifier: MIT
// The colour scale: lightness rises in even steps, neighbours differ evenly, no colour is clipped.
#include <math.h>

#include "firn_test.h"
#include "viewer/draw/draw.h"

#define STEPS 64

static double linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

// Ottosson 2020, from linear sRGB; not the matrices that the scale itself uses, but their inverse.
static void oklab(const float rgb[3], double lab[3])
{
    const double r = linear((double)rgb[0]), g = linear((double)rgb[1]), b = linear((double)rgb[2]);
    const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static void even(void** state)
{
    (void)state;
    double before[3] = {0}, least = 1, most = 0;
    for (int k = 0; k <= STEPS; k++) {
        float rgb[3];
        double lab[3];
        view_scale_colour(VIEW_MAP_FIRN, (float)k / STEPS, rgb);
        oklab(rgb, lab);
        // A colour outside sRGB would be clipped and its lightness off this line. In gamut only
        // floats and matrices of ten digits round, which is far less; 0.004 is not visible.
        assert_near(lab[0], 0.30 + 0.63 * k / STEPS, 0.004);
        if (k > 0) {
            const double step =
                hypot(lab[0] - before[0], hypot(lab[1] - before[1], lab[2] - before[2]));
            least = fmin(least, step);
            most = fmax(most, step);
        }
        for (int i = 0; i < 3; i++) before[i] = lab[i];
    }
    assert_less(most, 2 * least);
}

static void beyond_the_ends(void** state)
{
    (void)state;
    float low[3], high[3], other[3];
    view_scale_colour(VIEW_MAP_FIRN, 0, low);
    view_scale_colour(VIEW_MAP_FIRN, 1, high);
    view_scale_colour(VIEW_MAP_FIRN, -3, other);
    assert_memory_equal(other, low, sizeof low);
    view_scale_colour(VIEW_MAP_FIRN, 7, other);
    assert_memory_equal(other, high, sizeof high);
    view_scale_colour(VIEW_MAP_FIRN, NAN, other);
    assert_memory_equal(other, low, sizeof low);
}

int test_colour_scale(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(even), cmocka_unit_test(beyond_the_ends)};
    return cmocka_run_group_tests_name("colour_scale", tests, NULL, NULL);
}
