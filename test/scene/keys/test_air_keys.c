// SPDX-License-Identifier: MIT
// The block `air`: what it says, what it refuses, a wind from a file, setting it from code.
#include <math.h>

#include "geometry/levelset/level_set_vdb.h"
#include "geometry/levelset/velocity_vdb.h"
#include "scene/run/wind.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\n"

static void defaults(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD, NULL);
    assert_false(s.air.active);
    firn_scene_data_destroy(&s);
    s = parse_good(HEAD "air:\n", NULL);  // air at rest
    assert_true(s.air.active);
    assert_true(s.air.drag);
    assert_nan(s.air.temperature);
    assert_equal(s.air.density, 1.3);
    assert_equal(s.air.viscosity, 1.7e-5);
    assert_equal(s.air.heat_transfer, 10);
    assert_equal(s.air.gusts.strength, 0);
    assert_equal(s.air.gusts.length, 5);
    assert_equal(s.air.gusts.period, 3);
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_true(copy.air.active);
    assert_equal(copy.hash, s.hash);
    firn_scene_data_destroy(&copy);
    firn_scene_data_destroy(&s);
    s = parse_good(HEAD "air: {drag: false, temperature: -3 degC}\n", NULL);
    assert_false(s.air.drag);
    assert_equal(s.air.temperature, -3);
    firn_scene_data_destroy(&s);
}

static void mistakes(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        int column;
        const char* message;
    } cases[] = {
        {"air: {velocity: 3}", 17, "'velocity' must be"},
        {"air: {velocity: [2000, 0, 0]}", 18, "must be between -1000 and 1000 m/s"},
        {"air: {temperature: 3 m}", 20, "expected a temperature (degC), but 'm' is a length"},
        {"air: {temperature: -300}", 20, "must be between -273.15"},
        {"air: {temperature: 1, temperature_keys: [[0, 1]]}", 1, "not both"},
        {"air: {temperature_keys: [[1, 5], [0, 5]]}", 34, "0 s comes before 1 s"},
        {"air: {temperature_keys: [[0, 1], [0, 2], [0, 3]]}", 42, "three keys of a temperature"},
        {"air: {temperature_keys: [[0, -300]]}", 30, "must be between -273.15"},
        {"air: {gust: {strength: 1}}", 7, "unknown key 'gust' in 'air' (did you mean 'gusts'?)"},
        {"air: {gusts: {length: 0}}", 23, "'length' is 0 m"},
        {"air: {volume: {grid: v}}", 7, "'volume' needs the key 'file'"},
        {"air: {volume: {file: nowhere.vdb}}", 15, "cannot open 'nowhere.vdb'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        snprintf(text, sizeof text, HEAD "%s\n", cases[k].text);
        firn_scene_data s;
        firn_diagnostics d = {0};
        assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_REFUSED_SCENE);
        if (!has_message(&d, 3, cases[k].column, cases[k].message)) {
            char* found = firn_diagnostics_text(&d);
            fail_msg("%s: %s", cases[k].text, found);
        }
        firn_diagnostics_destroy(&d);
    }
}

static void set_from_code(void** state)
{
    (void)state;
    firn_scene_data s;
    firn_scene_data_init(&s);
    firn_diagnostics d = {0};
    assert_int_equal(firn_scene_assign(&s, toy_solvers, 2, "air.velocity", "[2, 0, 0]", &d),
                     FIRN_OK);
    assert_true(s.air.active);
    assert_equal(s.air.velocity[0], 2);
    assert_equal(s.air.density, 1.3);
    assert_int_equal(firn_scene_assign(&s, toy_solvers, 2, "air.density", "1.1", &d), FIRN_OK);
    assert_int_equal(firn_scene_assign(&s, toy_solvers, 2, "air", "{density: 1, viscosity: x}", &d),
                     FIRN_REFUSED_ARGUMENT);
    assert_equal(s.air.velocity[0], 2);
    assert_equal(s.air.density, 1.1);
    assert_int_equal(firn_scene_assign(&s, toy_solvers, 2, "emitters.0.rate", "3", &d),
                     FIRN_REFUSED_ARGUMENT);
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

#ifdef FIRN_HAVE_VDB
#define FILE_NAME FIRN_TEST_TMP "/wind.vdb"

static firn_real ball_phi(const void* context, firn_vec3 x)
{
    (void)context;
    return firn_v3_length(x) - 1;
}

// A wind (y, 0, 0) over a box of 2 m: a shear flow, which trilinear values keep exactly.
static void write_wind(const char* name)
{
    char message[400];
    const firn_level_set* set;
    const firn_box3 all = {{-2, -2, -2}, {2, 2, 2}};
    assert_int_equal(
        firn_level_set_build(all, (firn_real)0.2, (firn_real)0.5, ball_phi, NULL, &set, NULL),
        FIRN_OK);
    const firn_vdb_write_args ball = {.name = "skin", .stretch = 1, .steepness = 1};
    assert_int_equal(firn_vdb_write_sets(FILE_NAME, set, &ball, 1, message, sizeof message),
                     FIRN_OK);
    firn_level_set_release(set);
    firn_velocity_grid grid;
    const firn_box3 box = {{-1, -1, -1}, {1, 1, 1}};
    assert_int_equal(firn_velocity_grid_create(box, (firn_real)0.125, &grid, NULL), FIRN_OK);
    for (int64_t n = 0; n < firn_velocity_grid_count(&grid); n++)
        grid.value[n] = firn_v3(firn_velocity_grid_node(&grid, n).y, 0, 0);
    if (firn_vdb_add_velocities(FILE_NAME, name, &grid, message, sizeof message) != FIRN_OK)
        fail_msg("%s", message);
    firn_velocity_grid_destroy(&grid);
}

static void a_wind_from_a_file(void** state)
{
    (void)state;
    write_wind("vel");
    firn_scene_data s =
        parse_good(HEAD "air: {velocity: [0, 0, 7], volume: {file: " FILE_NAME "}}\n", NULL);
    const firn_vec3 inside = firn_wind(&s, firn_v3((firn_real)0.3, (firn_real)-0.77, 0), 5);
    // interpolated between floats of about 1, at a float position over a voxel of 0.125 m
    assert_near(inside.x, -0.77, 1e-5);
    assert_equal(inside.y, 0);
    assert_equal(inside.z, 0);
    const firn_vec3 outside = firn_wind(&s, firn_v3(3, 0, 0), 5);
    assert_equal(outside.x, 0);
    assert_equal(outside.z, 7);
    // a copy shares what was read; another velocity outside is another scene, another folder is not
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_ptr_equal(copy.air.volume.velocities, s.air.volume.velocities);
    assert_string_equal(copy.air.volume.file, FILE_NAME);
    assert_equal(copy.hash, s.hash);
    firn_scene_data_destroy(&s);
    const firn_vec3 again = firn_wind(&copy, firn_v3(0, (firn_real)0.5, 0), 5);
    assert_near(again.x, 0.5, 1e-5);  // as above
    // written from data alone, it reads back
    firn_scene_data_changed(&copy);
    char* text = firn_scene_to_yaml(&copy);
    firn_scene_data back = parse_good(text, NULL);
    assert_equal(back.hash, copy.hash);
    firn_free(text);
    // gusts are a fraction of the local wind, here 0 but for the same rounding
    firn_diagnostics d = {0};
    assert_int_equal(firn_scene_assign(&back, toy_solvers, 2, "air.gusts.strength", "0.5", &d),
                     FIRN_OK);
    assert_less(firn_v3_length(firn_wind(&back, firn_v3(0, 0, 0), 5)), (firn_real)1e-5);
    assert_non_null(back.air.volume.velocities);
    firn_scene_data_destroy(&back);
    firn_scene_data_destroy(&copy);
}

static void grids_that_are_not_there(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {"air: {volume: {file: " FILE_NAME "}}", "no grid of velocities called 'v'"},
        {"air: {volume: {file: " FILE_NAME ", grid: gale}}", "there is no grid 'gale'"},
        {"air: {volume: {file: " FILE_NAME ", grid: skin}}", "vectors of three floats"}};
    write_wind("breeze");
    for (int k = 0; k < 3; k++) {
        char text[1200];
        snprintf(text, sizeof text, HEAD "%s\n", cases[k][0]);
        firn_scene_data s;
        firn_diagnostics d = {0};
        assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_REFUSED_SCENE);
        assert_true(has_message(&d, 3, 15, cases[k][1]));
        firn_diagnostics_destroy(&d);
    }
    firn_scene_data s =
        parse_good(HEAD "air: {volume: {file: " FILE_NAME ", grid: breeze}}\n", NULL);
    assert_non_null(s.air.volume.velocities);
    firn_scene_data_destroy(&s);
}
#endif

int test_air_keys(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),           cmocka_unit_test(mistakes),
        cmocka_unit_test(set_from_code),
#ifdef FIRN_HAVE_VDB
        cmocka_unit_test(a_wind_from_a_file), cmocka_unit_test(grids_that_are_not_there),
#endif
    };
    return cmocka_run_group_tests_name("air_keys", tests, NULL, NULL);
}
