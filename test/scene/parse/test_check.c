// SPDX-License-Identifier: MIT
// Suspicious scenes are noticed, sound ones are not.
#include "scene/scene_fixture.h"

#define FLOOR "colliders:\n- shape: {plane: {}}\n"
#define HEAD "firn: 1\nmpm: {cell: 0.01}\n"
#define SNOW(keys) \
    HEAD FLOOR "snow:\n- {shape: {sphere: {center: [0, 1, 0], radius: 0.1}}, " keys "}\n"

static firn_diagnostics check(const char* text)
{
    firn_scene_data s = parse_good(text, NULL);
    firn_diagnostics d = {0};
    firn_scene_data_check(&s, &d);
    firn_scene_data_destroy(&s);
    return d;
}

static void test_sound_scene(void** state)
{
    (void)state;
    firn_diagnostics d = check(SNOW("velocity: [0, -5, 0]"));
    assert_int_equal(d.count, 0);
    firn_diagnostics_destroy(&d);
    // snow that is culled does not fall for ever
    // snowfall alone is snow
    d = check(HEAD FLOOR
              "air: {velocity: [3, 0, 0], gusts: {strength: 0.1}}\n"
              "emitters: [{shape: {sphere: {center: [0, 2, 0], radius: 1}}, rate: 5}]\n");
    assert_int_equal(d.count, 0);
    firn_diagnostics_destroy(&d);
    // what is culled later than it starts is no mistake
    d = check(SNOW("seed: 1") "cull: {below: 2, start: 1}\n");
    assert_int_equal(d.count, 0);
    firn_diagnostics_destroy(&d);
    d = check(HEAD "cull: {below: -9}\nsnow:\n- {shape: {sphere: {radius: 1}}}\n");
    assert_int_equal(d.count, 0);
    firn_diagnostics_destroy(&d);
}

typedef struct suspicion {
    const char* text;
    bool is_error;
    int line, column;
    const char* message;
} suspicion;

static void expect(const suspicion* cases, size_t count)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        firn_diagnostics d = check(cases[i].text);
        if (!has_message(&d, cases[i].line, cases[i].column, cases[i].message) ||
            (d.error_count > 0) != cases[i].is_error) {
            char* text = firn_diagnostics_text(&d);
            print_error("case %zu: %s\n%s--- got:\n%s\n", i, cases[i].message, cases[i].text, text);
            firn_free(text);
            wrong++;
        }
        firn_diagnostics_destroy(&d);
    }
    assert_int_equal(wrong, 0);
}

static void test_suspicious_snowfall(void** state)
{
    (void)state;
    static const suspicion cases[] = {
        {SNOW("seed: 1") "air: {velocity: [300, 0, 0]}\n", false, 7, 7, "a wind of 300 m/s"},
        {SNOW("seed: 1") "air: {gusts: {strength: 1}}\n", false, 7, 7, "there is none"},
        {HEAD FLOOR "emitters:\n- {rate: 5, shape: {plane: {}}}\n", true, 6, 13, "has no end"},
        {HEAD FLOOR "emitters:\n- {rate: 5, shape: {intersection: [{sphere: {radius: 1}}, {sphere: "
                    "{center: [9, 9, 9], radius: 1}}]}}\n",
         true, 6, 13, "no flake can appear"},
        {HEAD FLOOR "emitters:\n- {rate: 5, shape: {capsule: {a: [0, 0, 0], b: [9, 9, 9], radius: "
                    "0.01}}}\n",
         true, 6, 13, "of its bounding box"},
        {HEAD FLOOR
         "emitters:\n- {rate: 5, velocity: [0, -999, 0], shape: {sphere: {center: [0, 2, "
         "0], radius: 1}}}\n",
         false, 6, 13, "flakes start at 999 m/s"},
        {HEAD FLOOR "emitters:\n- {rate: 5, start: 99, shape: {sphere: {center: [0, 2, 0], radius: "
                    "1}}}\n",
         false, 6, 24, "after the end of the scene"},
    };
    expect(cases, sizeof cases / sizeof *cases);
}

static void test_each_suspicion(void** state)
{
    (void)state;
    static const suspicion cases[] = {
        {HEAD FLOOR, true, 0, 0, "the scene has no snow"},
        {HEAD FLOOR "snow: []\n", true, 5, 1, "the scene has no snow"},
        {HEAD "snow:\n- {shape: {sphere: {radius: 1}}}\n", false, 0, 0, "the snow falls for ever"},
        {SNOW("seed: 1") "cull: {below: 2}\n", false, 7, 8, "all of snow 0 starts below 2 m"},
        {SNOW("velocity: [0, -201, 0]"), false, 6, 55, "starts at 201 m/s"},
        {HEAD FLOOR "snow:\n- shape: {plane: {}}\n", true, 6, 3, "this shape has no end"},
        {HEAD FLOOR "snow:\n- shape: {intersection: [{sphere: {radius: 1}}, {sphere: {center: [9, "
                    "9, 9], radius: 1}}]}\n",
         true, 6, 3, "empty"},
        {HEAD FLOOR "snow:\n- shape: {sphere: {center: [0, 1, 0], radius: 0.01}}\n", false, 6, 3,
         "less than 4 cells"},
        {HEAD FLOOR "snow:\n- shape: {sphere: {center: [0, 900, 0], radius: 800}}\n", false, 6, 3,
         "is 1.6 km large"},
        {HEAD FLOOR "snow:\n- shape: {sphere: {center: [0, 1, 0], radius: 0.0001}}\n", false, 6, 3,
         "only 0.0002 m large"},
        {HEAD FLOOR "snow:\n- shape: {sphere: {center: [0, 0, 0], radius: 0.1}}\n", false, 6, 3,
         "50 % of this snow starts inside collider 0"},
        {HEAD FLOOR "snow:\n- shape: {sphere: {center: [0, -3, 0], radius: 0.1}}\n", false, 6, 3,
         "all of this snow starts inside collider 0"},
        {SNOW("seed: 1") "- shape: {sphere: {center: [0, 1.01, 0], radius: 0.1}}\n", false, 7, 3,
         "% of this snow starts inside body 0"},
        {SNOW("material: light") "materials: {light: {density: 20}}\n", false, 7, 21,
         "material 'light' has 20 kg/m^3; snow has 30 to 917"},
        {SNOW("material: ice") "materials:\n  ice:\n    density: 918\n", false, 9, 5, "918 kg/m^3"},
        {SNOW("seed: 1") "gravity: [0, -981, 0]\n", false, 7, 1, "gravity is 981 m/s^2"},
        {HEAD FLOOR "- shape: {box: {center: [0, 5, 0], size: [1, 0.005, 1]}}\nsnow:\n- shape: "
                    "{sphere: {center: [0, 1, 0], radius: 0.1}}\n",
         false, 5, 3, "snow can pass through"},
        {HEAD FLOOR
         "  velocity: [300, 0, 0]\nsnow:\n- shape: {sphere: {center: [0, 1, 0], radius: 0.1}}\n",
         false, 5, 3, "moves at 300 m/s"},
        {SNOW("seed: 1") "render: {camera: {eye: [0, 1, 0], look_at: [0, 0, 0]}}\n", false, 7, 19,
         "the camera stands inside snow 0"},
        {SNOW("seed: 1") "render: {camera: {eye: [0, -1, 0], look_at: [0, 0, 0]}}\n", false, 7, 19,
         "the camera stands inside collider 0"},
    };
    expect(cases, sizeof cases / sizeof *cases);
}

// What --set set is named, not a line that is not there.
static void test_place_of_override(void** state)
{
    (void)state;
    const char* set = "snow.0.velocity=[0,-999,0]";
    firn_scene_data s =
        parse_good(SNOW("seed: 1"), &(firn_scene_options){.overrides = &set, .override_count = 1});
    firn_diagnostics d = {0};
    firn_scene_data_check(&s, &d);
    assert_int_equal(d.count, 1);
    assert_string_equal(d.items[0].file, "--set snow.0.velocity=[0,-999,0]");
    assert_int_equal(d.items[0].line, 0);
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

int test_check(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_scene), cmocka_unit_test(test_each_suspicion),
        cmocka_unit_test(test_suspicious_snowfall), cmocka_unit_test(test_place_of_override)};
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
