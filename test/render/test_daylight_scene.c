// SPDX-License-Identifier: MIT
// The model sun-sky: published illuminances, and the properties of Perez' formula.
#include "render/daylight_scene.h"

#include <math.h>

#include "firn_test.h"

#define PI 3.14159265358979

static firn_vec3 at_height(double degrees)
{
    return firn_v3(0, (firn_real)sin(degrees * PI / 180), (firn_real)cos(degrees * PI / 180));
}

// The solar illuminance constant is 127.5 klx (Darula, Kittler and Gueymard 2005) to 133.8 klx
// (Illuminating Engineering Society). At noon of a clear day the sun gives about 100 klx.
static void light_of_the_sun(void** state)
{
    (void)state;
    double xyz[3], previous = 1e9;
    firn_sun_light(1, 0, xyz);
    print_message("solar illuminance constant %.1f klx\n", xyz[1] / 1000);
    assert_greater(xyz[1], 125e3);
    assert_less(xyz[1], 136e3);
    firn_sun_light(1, 2, xyz);
    assert_greater(xyz[1], 95e3);
    assert_less(xyz[1], 125e3);
    // lower and hazier: dimmer and redder
    for (int height = 90; height >= 2; height -= 8) {
        firn_sun_light(sin(height * PI / 180), 3, xyz);
        const firn_rgb c = firn_sun_sky_rgb(xyz[0], xyz[1], xyz[2]);
        assert_less(xyz[1], previous);
        assert_greater(c.r, c.b);
        previous = xyz[1];
    }
    double hazy[3];
    firn_sun_light(0.5, 3, xyz);
    firn_sun_light(0.5, 6, hazy);
    assert_less(hazy[1], xyz[1]);
    assert_less(hazy[2] / hazy[0], xyz[2] / xyz[0]);
}

// At the zenith the formula returns the zenith's own luminance and chromaticity (appendix A.2),
// here computed once more by hand for T = 3 and a sun at 60 degrees: angle pi / 6.
static void the_zenith(void** state)
{
    (void)state;
    const firn_daylight d = firn_daylight_sun_sky(at_height(60), 3, 1, 1);
    const double T = 3, a = PI / 6, chi = (4.0 / 9 - T / 120) * (PI - 2 * a);
    const double Y = ((4.0453 * T - 4.9710) * tan(chi) - 0.2155 * T + 2.4192) / FIRN_SUN_SKY_UNIT;
    const double x = T * T * (0.00166 * a * a * a - 0.00375 * a * a + 0.00209 * a) +
                     T * (-0.02903 * a * a * a + 0.06377 * a * a - 0.03202 * a + 0.00394) +
                     0.11693 * a * a * a - 0.21196 * a * a + 0.06052 * a + 0.25886;
    const double y = T * T * (0.00275 * a * a * a - 0.00610 * a * a + 0.00317 * a) +
                     T * (-0.04214 * a * a * a + 0.08970 * a * a - 0.04153 * a + 0.00516) +
                     0.15346 * a * a * a - 0.26756 * a * a + 0.06670 * a + 0.26688;
    const firn_rgb want = firn_sun_sky_rgb(x * Y / y, Y, (1 - x - y) * Y / y);
    const firn_rgb got = firn_daylight_sky(&d, firn_v3(0, 1, 0));
    assert_near(got.r, want.r, 1e-5);  // coefficients and factors are floats
    assert_near(got.g, want.g, 1e-5);
    assert_near(got.b, want.b, 1e-5);
    assert_greater(got.b, 1.5 * (double)got.r);  // blue
    assert_near(d.zenith.g, got.g, 1e-6);
}

static float brightness(const firn_daylight* d, double x, double y, double z)
{
    const firn_vec3 to = firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
    return firn_rgb_luminance(firn_daylight_sky(d, firn_v3_normalize(to, to)));
}

static void over_the_sky(void** state)
{
    (void)state;
    for (double height = 2; height < 90; height += 11)
        for (double turbidity = 2; turbidity <= 10; turbidity += 2) {
            const firn_daylight d = firn_daylight_sun_sky(at_height(height), turbidity, 1, 1);
            // symmetric about the sun's meridian; brighter about the sun than opposite; continuous
            // across the horizon; never negative
            assert_near(brightness(&d, 0.5, 0.3, 0.2), brightness(&d, -0.5, 0.3, 0.2), 1e-5);
            assert_greater(brightness(&d, 0, 0.2, 1), brightness(&d, 0, 0.2, -1));
            assert_near(brightness(&d, 1, 1e-4, 0.4), brightness(&d, 1, -1e-6, 0.4), 1e-2);
            for (double y = -1; y <= 1; y += 0.125) {
                const firn_rgb c =
                    firn_daylight_sky(&d, firn_v3((firn_real)sqrt(1 - y * y), (firn_real)y, 0));
                assert_true(c.r >= 0 && c.g >= 0 && c.b >= 0 && c.r < 100);
            }
        }
    // dimmer after sunset, and no sun
    const firn_daylight set = firn_daylight_sun_sky(at_height(-6), 3, 1, 1);
    const firn_daylight low = firn_daylight_sun_sky(at_height(0), 3, 1, 1);
    assert_equal(firn_rgb_luminance(set.direct), 0);
    assert_near(firn_rgb_luminance(set.zenith) / firn_rgb_luminance(low.zenith), 3.4 / 700, 5e-4);
}

// Scales: a clear day has about the light of the gradient, and strengths are factors.
static void strengths(void** state)
{
    (void)state;
    const firn_daylight a = firn_daylight_sun_sky(at_height(50), 2.5, 1, 1);
    const firn_daylight b = firn_daylight_sun_sky(at_height(50), 2.5, 3, 0.5);
    const firn_daylight g = firn_daylight_make(at_height(50), 1, 1);
    print_message("direct %.3f, gradient's %.3f; dome %.3f, gradient's %.3f\n",
                  (double)firn_rgb_luminance(a.direct), (double)firn_rgb_luminance(g.direct),
                  (double)firn_rgb_luminance(a.dome), (double)firn_rgb_luminance(g.dome));
    assert_near(b.direct.g, 3 * a.direct.g, 1e-5);
    assert_near(b.dome.g, 0.5f * a.dome.g, 1e-5);
    assert_near(firn_rgb_luminance(a.direct) / firn_rgb_luminance(g.direct), 1, 0.25);
    firn_render_block r = {.sun = {0, 0.766044443, 0.642787610},
                           .sun_strength = 1,
                           .sky_strength = 1,
                           .sky_turbidity = 2.5,
                           .sky_model = FIRN_SKY_SUN_SKY};
    assert_near(firn_daylight_of_scene(&r).direct.g, a.direct.g, 1e-5);
    r.sky_model = FIRN_SKY_GRADIENT;
    assert_near(firn_daylight_of_scene(&r).direct.g, g.direct.g, 1e-5);
}

int test_daylight_scene(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(light_of_the_sun),
                                       cmocka_unit_test(the_zenith), cmocka_unit_test(over_the_sky),
                                       cmocka_unit_test(strengths)};
    return cmocka_run_group_tests_name("daylight_scene", tests, NULL, NULL);
}
