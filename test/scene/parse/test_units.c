// SPDX-License-Identifier: MIT
// Units behind numbers.
#include <math.h>
#include <string.h>

#include "firn_test.h"
#include "scene/parse/units.h"

static void test_conversions(void** state)
{
    (void)state;
    static const struct {
        double number;
        const char *unit, *key_unit;
        double expected;  // bit for bit: the decimal a person would write instead
    } cases[] = {
        {7, "cm", "m", 0.07},
        {12, "mm", "m", 0.012},
        {3, "km", "m", 3000},
        {250, "um", "m", 250e-6},
        {1, "m", "m", 1},
        {500, "ms", "s", 0.5},
        {5, "us", "s", 5e-6},
        {2, "min", "s", 120},
        {1, "h", "s", 3600},
        {140, "kPa", "Pa", 140000},
        {0.14, "MPa", "Pa", 140000},
        {9, "GPa", "Pa", 9e9},
        {1, "bar", "Pa", 1e5},
        {0.4, "g/cm3", "kg/m^3", 400},
        {0.4, "g/cm^3", "kg/m3", 400},
        {2, "t/m3", "kg/m^3", 2000},
        {36, "km/h", "m/s", 10},
        {5, "cm/s", "m/s", 0.05},
        {1, "g", "m/s^2", 9.80665},
        {9.81, "m/s2", "m/s^2", 9.81},
        {24, "fps", "1/s", 24},
        {50, "Hz", "1/s", 50},
        {90, "deg", "deg", 90},
        {90, "\xc2\xb0", "deg", 90},
        {2.5, "%", "-", 0.025},
        {16, "frames", "frames", 16},
        {2, "kg", "kg", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = cases[i].number;
        char message[300] = "";
        if (!firn_unit_convert(cases[i].key_unit, cases[i].unit, &value, message, sizeof message) ||
            value != cases[i].expected)
            print_error("%g %s is %.17g, not %.17g %s: %s\n", cases[i].number, cases[i].unit, value,
                        cases[i].expected, cases[i].key_unit, message);
        assert_equal(value, cases[i].expected);
    }
    double turn = 1;
    char message[300];
    assert_true(firn_unit_convert("rad/s", "rpm", &turn, message, sizeof message));
    assert_near(turn, 2 * M_PI / 60, 1e-16);  // doubles of 0.1: some roundings of 1e-17
    turn = M_PI;
    assert_true(firn_unit_convert("deg", "rad", &turn, message, sizeof message));
    assert_near(turn, 180, 1e-12);  // and of 180: some of 3e-14
}

static void test_refusals(void** state)
{
    (void)state;
    static const struct {
        const char *unit, *key_unit, *message;
    } cases[] = {
        {"kPa", "m", "expected a length (m, km, cm, mm, um), but 'kPa' is a pressure"},
        {"m", "s", "expected a time (s, ms, us, min, h), but 'm' is a length"},
        {"CM", "m",
         "unknown unit 'CM': expected a length (m, km, cm, mm, um) (did you mean 'cm'?)"},
        {"m", NULL, "expected a plain number, without the unit 'm'"},
        {"cells", "frames", "expected a plain number, without the unit 'cells'"},
        {"deg", "m/s", "expected a speed (m/s, cm/s, mm/s, km/h), but 'deg' is an angle"},
        {"averyveryveryverylongunitthatdoesnotend", "m", "unknown unit 'averyveryveryverylon'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 3;
        char message[300] = "";
        assert_false(
            firn_unit_convert(cases[i].key_unit, cases[i].unit, &value, message, sizeof message));
        assert_equal(value, 3);
        if (strstr(message, cases[i].message) == NULL)
            print_error("%s\n%s\n", cases[i].message, message);
        assert_contains(message, cases[i].message);
    }
}

int test_units(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conversions),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
