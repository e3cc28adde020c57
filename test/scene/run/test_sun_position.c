// SPDX-License-Identifier: MIT
#include "scene/run/sun_position.h"

#include <math.h>

#include "firn_test.h"

#define DEGREE (3.14159265358979 / 180)

static void near(const double v[3], double x, double y, double z, double tolerance)
{
    assert_near(v[0], x, tolerance);
    assert_near(v[1], y, tolerance);
    assert_near(v[2], z, tolerance);
}

// Day 81 of the formula has declination 0: at noon the sun stands as high as the pole's complement,
// at six it rises due east, at 18 it sets due west.
static void at_the_equinox(void** state)
{
    (void)state;
    double sun[3];
    firn_sun_position(12, 81, 45, 0, sun);
    near(sun, 0, sqrt(0.5), sqrt(0.5), 1e-12);
    firn_sun_position(6, 81, 45, 0, sun);
    near(sun, 1, 0, 0, 1e-12);
    firn_sun_position(18, 81, 45, 0, sun);
    near(sun, -1, 0, 0, 1e-12);
    firn_sun_position(12, 81, -45, 0, sun);  // north of an observer in the south
    near(sun, 0, sqrt(0.5), -sqrt(0.5), 1e-12);
    firn_sun_position(12, 81, 45, 90, sun);  // south has turned from +z to +x
    near(sun, sqrt(0.5), sqrt(0.5), 0, 1e-12);
}

// At the solstice (day 173 of the formula) with a declination of 0.4093 rad = 23.45 degrees, the
// sun is in the zenith of the tropic, and circles at that height about the pole.
static void at_the_solstice(void** state)
{
    (void)state;
    double sun[3];
    firn_sun_position(12, 173, 0.4093 / DEGREE, 0, sun);
    near(sun, 0, 1, 0, 1e-12);
    for (int hour = 0; hour < 24; hour++) {
        firn_sun_position(hour, 173, 90, 0, sun);
        assert_near(sun[1], sin(0.4093), 1e-12);
        assert_near(sun[0] * sun[0] + sun[1] * sun[1] + sun[2] * sun[2], 1, 1e-12);
    }
}

// Davos, 46.8 degrees north, on the first of February at solar noon. The almanac's declination is
// -17.2 degrees, so 26.0 degrees above the horizon; the formula is good to a degree.
static void in_davos(void** state)
{
    (void)state;
    double sun[3];
    firn_sun_position(12, 32, 46.8, 0, sun);
    assert_near(asin(sun[1]) / DEGREE, 26.0, 1.0);
    assert_near(sun[0], 0, 1e-12);
    double morning[3], evening[3];
    firn_sun_position(9, 32, 46.8, 0, morning);
    firn_sun_position(15, 32, 46.8, 0, evening);
    assert_near(morning[1], evening[1], 1e-12);
    assert_near(morning[0], -evening[0], 1e-12);
    assert_greater(morning[0], 0.5);
}

int test_sun_position(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_the_equinox),
                                       cmocka_unit_test(at_the_solstice),
                                       cmocka_unit_test(in_davos)};
    return cmocka_run_group_tests_name("sun_position", tests, NULL, NULL);
}
