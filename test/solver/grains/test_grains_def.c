// SPDX-License-Identifier: MIT
// The block `grains` of a scene: what is chosen, what is refused and what is warned of.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

#define SCENE                                                                           \
    "firn: 1\nsolver: grains\ntime: {frames: 1}\n"                                      \
    "materials: {fresh: {density: 100}}\n"                                              \
    "snow: [{shape: {box: {center: [0, 1, 0], size: [2, 2, 2]}}, material: fresh%s}]\n" \
    "colliders: [{shape: {plane: {}}}]\n"                                               \
    "grains: {%s}\n"

// Loads the scene with more keys of the snow and of the block, checks it and gives its info.
static firn_result check(firn_scene* scene, const char* snow, const char* grains,
                         firn_scene_info* out_info)
{
    char text[1000];
    snprintf(text, sizeof text, SCENE, snow, grains);
    const firn_result loaded = firn_scene_load_text(scene, text, "test", NULL);
    return loaded != FIRN_OK ? loaded : firn_scene_check(scene, 1, out_info);
}

static void expect(const char* snow, const char* grains, firn_result want, const char* message)
{
    firn_scene* scene = NULL;
    firn_scene_info info = {0};
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_result got = check(scene, snow, grains, &info);
    const char* said = firn_scene_messages(scene);
    if (got != want || (message == NULL) != (said[0] == 0) ||
        (message != NULL && strstr(said, message) == NULL))
        print_error("{%s} {%s}: %d, %s\n", snow, grains, (int)got, said);
    assert_int_equal(got, want);
    assert_true(message != NULL ? strstr(said, message) != NULL : said[0] == 0);
    firn_scene_destroy(scene);
}

static void what_does_not_fit(void** state)
{
    (void)state;
    expect("", "radius: 0.05", FIRN_OK, NULL);
    expect("", "radius: 0.05, density: 850", FIRN_REFUSED_SCENE, "grains.ice_density = 800");
    expect("", "radius: 0.05, heat_speed: 1e8", FIRN_REFUSED_SCENE, "use at most");
    expect("", "radius: 0.05, dt: 3 ms", FIRN_OK, "grains.dt = 0.003 s is long");
    expect(", temperature: 80", "radius: 0.05", FIRN_OK, NULL);
    expect(", temperature: 80", "radius: 0.05, latent_heat: 1e5", FIRN_OK, "begins as water");
    expect(", velocity: [0, -3, 0]", "radius: 0.05", FIRN_OK, NULL);
    expect(", velocity: [0, -8, 0]", "radius: 0.05", FIRN_OK, NULL);
    expect(", velocity: [0, -8, 0]", "radius: 0.05, solid: false", FIRN_OK,
           "snow.0 moves at 8 m/s");
    expect(", velocity: [0, -8, 0]", "radius: 0.05, impact_speed: 1", FIRN_OK,
           "snow.0 moves at 8 m/s");
    expect(", velocity: [0, -8, 0]", "radius: 0.05, young_snow: 50 kPa", FIRN_OK, NULL);
}

// Table 2's grains and step where there is snow enough; smaller ones, and as much shorter steps,
// where there would be few.
static void what_is_chosen(void** state)
{
    (void)state;
    firn_scene* scene = NULL;
    firn_scene_info info = {0};
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(check(scene, "", "radius: 0.05", &info), FIRN_OK);
    assert_near(info.cell, 0.1, 1e-9);  // all of it in double
    assert_near(info.dt, 1e-3, 1e-9);
    assert_int_equal(check(scene, "", "", &info), FIRN_OK);
    assert_near(info.cell, 0.1, 1e-9);
    const char* small = "firn: 1\nsolver: grains\ntime: {frames: 1}\n"
                        "materials: {fresh: {density: 100}}\n"
                        "snow: [{shape: {sphere: {center: [0, 1, 0], radius: 0.1}}, material: "
                        "fresh}]\n";
    assert_int_equal(firn_scene_load_text(scene, small, "test", NULL), FIRN_OK);
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_OK);
    print_message("cell %g m, dt %g s, %d grains\n", info.cell, info.dt, (int)info.particles);
    assert_greater(info.cell, 0.007);
    assert_less(info.cell, 0.013);
    assert_near(info.dt / info.cell, 1e-2, 1e-8);
    assert_greater(info.particles, 3000);
    assert_less(info.particles, 10000);
    firn_scene_destroy(scene);
}

int test_grains_def(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_does_not_fit),
                                       cmocka_unit_test(what_is_chosen)};
    return cmocka_run_group_tests_name("grains_def", tests, NULL, NULL);
}
