// SPDX-License-Identifier: MIT
// What a check says of a scene of grains before anything is made: how many there will be, and that
// their solver supports the air's temperature.
#include <stdio.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

static firn_scene* loaded(const char* density, const char* more)
{
    char text[400];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: grains\ngrains: {radius: 0.05}\nmaterials: {a: {density: %s}}\n"
             "snow: [{shape: {box: {center: [0, 1, 0], size: [1, 1, 1]}}, material: a}]\n%s",
             density, more);
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "test", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    return scene;
}

// The packing of a box of 1 m has no grains that stick out, which volumes do not know: 15 % at 5
// cm.
static void counts_grains(void** state)
{
    (void)state;
    static const char* const densities[2] = {"100", "300"};
    for (int k = 0; k < 2; k++) {
        firn_scene* scene = loaded(densities[k], "");
        firn_scene_info info;
        assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_OK);
        firn_sim* sim = NULL;
        firn_error error = {0};
        const firn_sim_def def = firn_default_sim_def();
        if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
        firn_field_view position;
        assert_int_equal(firn_sim_field(sim, "position", &position), FIRN_OK);
        print_message("%s kg/m^3: %d grains, %d expected\n", densities[k], (int)position.count,
                      (int)info.particles);
        const double ratio = (double)info.particles / position.count;
        assert_greater(ratio, 1);
        assert_less(ratio, 1.4);
        firn_sim_destroy(sim);
        firn_scene_destroy(scene);
    }
}

static void grains_know_the_air(void** state)
{
    (void)state;
    firn_scene* scene = loaded("100", "air: {temperature: 3}\n");
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_OK);
    assert_lacks(firn_scene_messages(scene), "does not support air");
    firn_scene_destroy(scene);
}

// Estimated seconds of a run on one core.
static double seconds_of(const char* colliders, const char* more)
{
    char text[600];
    snprintf(text, sizeof text, "colliders: [{shape: %s}]\n%s", colliders, more);
    firn_scene* scene = loaded("100", text);
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_OK);
    firn_scene_destroy(scene);
    return info.seconds;
}

// The estimate counts the pictures: none, a floor, solids on it, larger pictures. What they take
// is that of the machine; their order is not.
static void counts_pictures(void** state)
{
    (void)state;
    static const char boxes[] = "{union: {of: [{plane: {}}, {box: {center: [3, 0, 0], size: [1, 1, "
                                "1]}}, {box: {center: [-3, 0, 0], size: [1, 1, 1]}}]}}";
    const double none = seconds_of("{plane: {}}", "output: {preview: false}\n");
    const double floor = seconds_of("{plane: {}}", "");
    const double solids = seconds_of(boxes, "");
    const double large = seconds_of(boxes, "render: {width: 1920, height: 1080}\n");
    print_message("%.3g s, with pictures %.3g, %.3g, %.3g s\n", none, floor, solids, large);
    assert_greater(floor, none);
    assert_greater(solids, floor);
    assert_greater(large - none, 3.5 * (solids - none));  // four times the pixels
}

// A scene as text is the same scene: loaded again it gives the same state.
static void writes_itself(void** state)
{
    (void)state;
    firn_scene* first = loaded("200", "air: {temperature: -8}\n");
    assert_int_equal(firn_scene_set(first, "gravity", "[0, -1.62, 0]"), FIRN_OK);
    char* text = firn_scene_yaml(first);
    assert_non_null(text);
    firn_scene* second = NULL;
    assert_int_equal(firn_scene_create(&second), FIRN_OK);
    if (firn_scene_load_text(second, text, "again", NULL) != FIRN_OK)
        fail_msg("%s\n%s", firn_scene_messages(second), text);
    firn_text_free(text);
    uint64_t hash[2];
    firn_scene* const both[2] = {first, second};
    for (int k = 0; k < 2; k++) {
        firn_sim* sim = NULL;
        const firn_sim_def def = firn_default_sim_def();
        assert_int_equal(firn_sim_create(both[k], &def, &sim, NULL), FIRN_OK);
        for (int n = 0; n < 5; n++) assert_int_equal(firn_sim_step(sim), FIRN_OK);
        hash[k] = firn_sim_hash(sim);
        firn_sim_destroy(sim);
        firn_scene_destroy(both[k]);
    }
    assert_true(hash[0] == hash[1]);
    assert_null(firn_scene_yaml(NULL));
}

static void finds_materials(void** state)
{
    (void)state;
    firn_scene* scene = loaded("200", "");
    firn_material_id found, added;
    firn_material_def def = firn_default_material_def();
    def.name = "b";
    assert_int_equal(firn_scene_add_material(scene, &def, &added), FIRN_OK);
    assert_int_equal(firn_scene_material_named(scene, "b", &found), FIRN_OK);
    assert_int_equal(found.slot1, added.slot1);
    assert_int_equal(found.owner, added.owner);
    firn_snow_def snow = firn_default_snow_def();  // the id of a loaded one works as an added one's
    assert_int_equal(firn_scene_material_named(scene, "a", &snow.material), FIRN_OK);
    assert_int_equal(firn_scene_sphere(scene, (firn_vec3){3, 1, 0}, 1, &snow.shape), FIRN_OK);
    assert_int_equal(firn_scene_add_snow(scene, &snow, NULL), FIRN_OK);
    assert_int_equal(firn_scene_add_material(scene, &def, &added), FIRN_OK);
    assert_int_equal(firn_scene_material_named(scene, "b-2", &found), FIRN_OK);
    assert_int_equal(found.slot1, added.slot1);
    assert_int_equal(firn_scene_material_named(scene, "c", &found), FIRN_REFUSED_NAME);
    assert_string_equal(firn_last_error(), "the scene has no material 'c'; it has: a, b, b-2");
    firn_scene_destroy(scene);
}

int test_scene_api(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_grains), cmocka_unit_test(grains_know_the_air),
        cmocka_unit_test(writes_itself), cmocka_unit_test(finds_materials),
        cmocka_unit_test(counts_pictures)};
    return cmocka_run_group_tests_name("scene_api", tests, NULL, NULL);
}
