// SPDX-License-Identifier: MIT
// Force fields and gravity over time from code: the same scene as from YAML; what is refused.
#include "core/text.h"
#include "firn/firn.h"
#include "firn_test.h"
#include "physics/force_field.h"
#include "scene/write/scene_write.h"
#include "sim/sim.h"

static firn_scene* load(const char* text)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "forces", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    return scene;
}

#define SNOW \
    "firn: 1\nmpm: {cell: 0.01}\nsnow: [{shape: {sphere: {center: [0, 0, 0], radius: 0.1}}}]\n"

static void same_as_from_yaml(void** state)
{
    (void)state;
    firn_scene* yaml =
        load(SNOW "forces:\n"
                  "  - {kind: vortex, strength: 3, direction: [0, 0, 2], center: [1, 2, "
                  "3], radius: 4, falloff: smooth, keys: [[0, 0], [1, 2]]}\n"
                  "  - {kind: noise, strength: 1, length: 0.2, period: 3, seed: 7}\n"
                  "gravity_keys: [[0, [0, -9.81, 0]], [2, [1, 0, 0]]]\n");
    firn_scene* code = load(SNOW);
    const firn_factor_key keys[] = {{0, 0}, {1, 2}};
    firn_force_def vortex = firn_default_force_def();
    vortex.type = FIRN_FORCE_TYPE_VORTEX;
    vortex.strength = 3;
    vortex.direction = (firn_vec3){0, 0, 2};
    vortex.center = (firn_vec3){1, 2, 3};
    vortex.radius = 4;
    vortex.falloff = FIRN_FALLOFF_TYPE_SMOOTH;
    vortex.keys = keys;
    vortex.key_count = 2;
    firn_force_def noise = firn_default_force_def();
    noise.type = FIRN_FORCE_TYPE_NOISE;
    noise.strength = 1;
    noise.length = 0.2;
    noise.period = 3;
    noise.seed = 7;
    // gravity is written as a float in code
    const firn_gravity_at gravity[] = {{0, {0, (firn_real)-9.81, 0}}, {2, {1, 0, 0}}};
    assert_int_equal(firn_scene_add_force(code, &vortex), FIRN_OK);
    assert_int_equal(firn_scene_add_force(code, &noise), FIRN_OK);
    assert_int_equal(firn_scene_set_gravity_keys(code, gravity, 2), FIRN_OK);
    assert_int_equal(code->data.force_count, 2);
    for (int k = 0; k < 2; k++)
        assert_memory_equal(&code->data.forces[k], &yaml->data.forces[k], sizeof(firn_force));
    assert_int_equal(code->data.gravity_key_count, 2);
    assert_near(code->data.gravity_keys[0].gravity[1], -9.81, 1e-6);
    assert_near(code->data.gravity[1], -9.81, 1e-6);
    // written and read again, it is the same scene
    char* text = firn_scene_to_yaml(&code->data);
    firn_scene* again = load(text);
    assert_equal(again->data.hash, code->data.hash);
    firn_text_free(text);
    assert_int_equal(firn_scene_set_gravity_keys(code, NULL, 0), FIRN_OK);
    assert_int_equal(code->data.gravity_key_count, 0);
    firn_scene_destroy(again);
    firn_scene_destroy(code);
    firn_scene_destroy(yaml);
}

static void refused(void** state)
{
    (void)state;
    firn_scene* scene = load(SNOW);
    const firn_factor_key keys[] = {{1, 0}, {0, 2}};
    for (int k = 0; k < 8; k++) {
        firn_force_def f = firn_default_force_def();
        if (k == 0) f.type = 4;
        if (k == 1) f.falloff = -1;
        if (k == 2) f.strength = 1e9;
        if (k == 3) f.direction = (firn_vec3){0, 0, 0};
        if (k == 4) f.falloff = FIRN_FALLOFF_TYPE_LINEAR;  // without a radius
        if (k == 5) f.length = 0;
        if (k == 6) f.keys = keys, f.key_count = 2;
        if (k == 7) f.key_count = 33;
        assert_int_equal(firn_scene_add_force(scene, &f), FIRN_REFUSED_ARGUMENT);
        assert_string_not_equal(firn_scene_messages(scene), "");
        assert_int_equal(scene->data.force_count, 0);
    }
    const firn_gravity_at late[] = {{1, {0, 0, 0}}, {0, {0, 0, 0}}};
    assert_int_equal(firn_scene_set_gravity_keys(scene, late, 2), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(scene->data.gravity_key_count, 0);
    firn_scene_destroy(scene);
}

int test_scene_forces(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_from_yaml),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("scene_forces", tests, NULL, NULL);
}
