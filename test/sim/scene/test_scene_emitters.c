// SPDX-License-Identifier: MIT
// Snowfall from code, and what solvers report that support neither flakes nor heat.
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "firn/firn.h"
#include "firn_test.h"
#include "scene/data/emitter.h"
#include "scene/write/scene_write.h"
#include "sim/sim.h"

static firn_scene* new_scene(firn_shape_id* out_box)
{
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_box(scene, (firn_vec3){0, 2, 0}, (firn_vec3){1, 1, 1}, 0, out_box),
                     FIRN_OK);
    return scene;
}

static void flakes_from_code(void** state)
{
    (void)state;
    firn_shape_id box;
    firn_scene* scene = new_scene(&box);
    firn_emitter_def def = firn_default_emitter_def();
    def.shape = box;
    def.rate = 50;
    def.limit = 40;
    def.velocity = (firn_vec3){0, -1, 0};
    assert_int_equal(firn_scene_add_emitter(scene, &def, NULL), FIRN_OK);
    const firn_emitter* e = &scene->data.emitters[0];
    assert_int_equal(scene->data.emitter_count, 1);
    assert_int_equal(scene->data.material_count, 1);
    assert_equal(e->rate, 50);
    assert_equal(e->limit, 40);
    assert_equal(e->velocity[1], -1);
    assert_true(isinf(e->stop));
    def.limit = 0;
    assert_int_equal(firn_scene_add_emitter(scene, &def, NULL), FIRN_OK);
    assert_equal(scene->data.emitters[1].limit, FIRN_EMITTER_NO_LIMIT);
    // written and read again, it is the same scene
    char* text = firn_scene_to_yaml(&scene->data);
    firn_scene* again;
    assert_int_equal(firn_scene_create(&again), FIRN_OK);
    assert_int_equal(firn_scene_load_text(again, text, "again", NULL), FIRN_OK);
    assert_equal(again->data.hash, scene->data.hash);
    firn_text_free(text);
    firn_scene_destroy(again);
    firn_scene_destroy(scene);
}

// A def with one mistake.
static firn_emitter_def wrong_def(int which, firn_shape_id box)
{
    firn_emitter_def def = firn_default_emitter_def();
    def.shape = box;
    def.rate = 1;
    switch (which) {
    case 0: def.cookie = 0; break;
    case 1: def.shape.slot1 = 7; break;
    case 2: def.rate = 0; break;
    case 3: def.size = -1; break;
    case 4: def.stop = def.start = 3; break;
    case 5: def.temperature = 400; break;
    case 6: def.flake_size = -1; break;
    case 7: def.flake_density = 1000; break;
    case 9: def.flow = 1; break;  // beside a rate
    case 10: def.mass = def.limit = 1; break;
    case 11: def.depth = -1; break;
    case 12: def.speed = NAN; break;
    default: def.material.slot1 = 2; break;
    }
    return def;
}

static void wrong_defs(void** state)
{
    (void)state;
    static const char* const words[] = {"firn_default_emitter_def",
                                        "a shape and a material of this scene",
                                        "a rate of",
                                        "a size of",
                                        "stop after it starts",
                                        "-273.15 to 100",
                                        "a flake_size of 0",
                                        "a flake_density of 0.1 to 917",
                                        "a material of this scene",
                                        "a flow of 1e-9",
                                        "a limit of 0",
                                        "a depth of 0",
                                        "a speed of -1e4"};
    firn_shape_id box;
    firn_scene* scene = new_scene(&box);
    for (int k = 0; k < 13; k++) {
        const firn_emitter_def def = wrong_def(k, box);
        assert_int_equal(firn_scene_add_emitter(scene, &def, NULL), FIRN_REFUSED_ARGUMENT);
        assert_contains(firn_scene_messages(scene), words[k]);
        assert_int_equal(scene->data.emitter_count, 0);
    }
    firn_scene_destroy(scene);
}

// ballistic has neither: emitters are an error, air and heat a warning; no simulation is made.
static void solvers_without(void** state)
{
    (void)state;
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const char* text = "firn: 1\nsolver: ballistic\nair: {velocity: [1, 0, 0], temperature: 3}\n"
                       "emitters:\n- {shape: {box: {size: [1, 1, 1]}}, rate: 100, stop: 1}\n"
                       "cull: {below: -5}\ntime: {frames: 240}\n";
    assert_int_equal(firn_scene_load_text(scene, text, "fall", NULL), FIRN_OK);
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_REFUSED_SCENE);
    const char* messages = firn_scene_messages(scene);
    assert_contains(messages, "fall:4:1: error: solver 'ballistic' does not support emitters");
    assert_contains(messages, "fall:3:1: warning: solver 'ballistic' does not support air");
    assert_contains(messages, "solver 'ballistic' does not support heat");
    assert_int_equal(firn_scene_error_count(scene), 1);
    assert_int_equal(info.particles, 100);  // flakes that will have fallen
    const firn_sim_def def = firn_default_sim_def();
    firn_sim* sim = NULL;
    firn_error error = {0};
    assert_int_equal(firn_sim_create(scene, &def, &sim, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "solver 'ballistic' does not support emitters");
    firn_scene_destroy(scene);
}

int test_scene_emitters(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flakes_from_code),
                                       cmocka_unit_test(wrong_defs),
                                       cmocka_unit_test(solvers_without)};
    return cmocka_run_group_tests_name("scene_emitters", tests, NULL, NULL);
}
