// SPDX-License-Identifier: MIT
// The temperature of air and colliders over time; air copied, written and hashed with it.
#include "scene/data/air.h"

#include <math.h>

#include "geometry/collider/collider.h"
#include "scene/run/seed.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\n"

static void over_time(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        HEAD "air:\n  temperature_keys:\n    - {time: 1, temperature: 5}\n    - [3, -1]\n"
             "    - {time: 3, temperature: -9}\n    - {time: 4 s, temperature: -10 degC}\n",
        NULL);
    static const double expected[][2] = {{-5, 5},     {1, 5},          {1.5, 3.5},
                                         {2, 2},      {2.999, -0.997}, {3, -9},
                                         {3.5, -9.5}, {4, -10},        {1e6, -10}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        const double T = firn_air_temperature(&s, expected[k][0]);
        // linear interpolation in double, values of about 10
        if (!(fabs(T - expected[k][1]) < 1e-9))
            fail_msg("%g degC at %g s, must be %g", T, expected[k][0], expected[k][1]);
    }
    assert_equal(s.air.temperature, 5);
    assert_true(firn_scene_heats(&s));
    firn_scene_data_destroy(&s);
    s = parse_good(HEAD, NULL);
    assert_nan(firn_air_temperature(&s, 0));
    firn_scene_data_destroy(&s);
    s = parse_good(HEAD "air: {temperature: -3}\n", NULL);
    assert_equal(firn_air_temperature(&s, 0), -3);
    assert_equal(firn_air_temperature(&s, 100), -3);
    firn_scene_data_destroy(&s);
}

static void of_bodies(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        HEAD "air: {temperature_keys: [[0, 5], [10, -5]]}\n"
             "colliders:\n"
             "  - shape: {sphere: {center: [0, 0, 0], radius: 1}}\n"
             "  - {shape: {sphere: {center: [0, 0, 0], radius: 1}}, temperature: 60}\n"
             "  - {shape: {sphere: {center: [0, 0, 0], radius: 1}}, temperature_of_air: true}\n",
        NULL);
    assert_nan(firn_body_temperature(&s, &s.colliders[0], 1));
    assert_equal(firn_body_temperature(&s, &s.colliders[1], 1), 60);
    assert_equal(firn_body_temperature(&s, &s.colliders[2], 1), 4);
    s.air.active = false;  // no air, nothing to be as warm as
    assert_nan(firn_body_temperature(&s, &s.colliders[2], 1));
    firn_scene_data_destroy(&s);
}

// Written and read again it is the same scene, and another one where a key differs.
static void written(void** state)
{
    (void)state;
    static const char keys[] = "air: {temperature_keys: [[0, 5], [40, 5], [40, -1]]}\n";
    firn_scene_data a = parse_good(HEAD, NULL);
    firn_diagnostics d = {0};
    assert_int_equal(firn_scene_assign(&a, toy_solvers, 2, "air.temperature_keys",
                                       "[[0, 5], [40, 5], [40, -1]]", &d),
                     FIRN_OK);
    char* text = firn_scene_to_yaml(&a);
    assert_non_null(text);
    firn_scene_data b = parse_good(text, NULL), copy;
    assert_equal(firn_scene_hash(&a), firn_scene_hash(&b));
    assert_int_equal(b.air.temperature_key_count, 3);
    assert_int_equal(firn_scene_data_copy(&b, &copy), FIRN_OK);
    assert_equal(firn_air_temperature(&copy, 39.5), 5);
    assert_equal(firn_air_temperature(&copy, 41), -1);
    char other_text[200];
    snprintf(other_text, sizeof other_text, HEAD "%s", keys);
    firn_scene_data c = parse_good(other_text, NULL);
    assert_equal(c.hash, b.hash);
    *(strstr(other_text, "40, 5") + 4) = '6';
    firn_scene_data other = parse_good(other_text, NULL);
    assert_not_equal(other.hash, b.hash);
    // a temperature that is set later is the one that holds
    assert_int_equal(firn_scene_assign(&a, toy_solvers, 2, "air.temperature", "7", &d), FIRN_OK);
    assert_equal(firn_air_temperature(&a, 41), 7);
    assert_equal(a.air.temperature_key_count, 0);
    firn_diagnostics_destroy(&d);
    firn_free(text);
    firn_scene_data* const all[] = {&a, &b, &c, &copy, &other};
    for (int k = 0; k < 5; k++) firn_scene_data_destroy(all[k]);
}

int test_air(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(over_time), cmocka_unit_test(of_bodies),
                                       cmocka_unit_test(written)};
    return cmocka_run_group_tests_name("air", tests, NULL, NULL);
}
