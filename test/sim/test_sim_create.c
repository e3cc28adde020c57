// SPDX-License-Identifier: MIT
// Making a simulation: what is refused, and room that is made at once.
#include "core/memory.h"
#include "play_fixture.h"

#define SNOW "snow:\n  - shape: {sphere: {center: [0, 1, 0], radius: 0.2}}\n"

static firn_result try_create(const char* text, firn_sim_def def, firn_error* error)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(scene, text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim* sim = NULL;
    const firn_result r = firn_sim_create(scene, &def, &sim, error);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return r;
}

// A solver that does not support rigid bodies says so, here and to `firn check`.
static void mass_without_a_solver_for_it(void** state)
{
    (void)state;
    static const char text[] = "firn: 1\nsolver: ballistic\nballistic: {spacing: 0.05}\n" SNOW
                               "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, "
                               "0]}}\n  - shape: {sphere: {center: [0, 2, 0], radius: 0.1}}\n"
                               "    mass: 2\n";
    firn_error error;
    assert_int_equal(try_create(text, firn_default_sim_def(), &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text,
                    "colliders.1: solver 'ballistic' does not support rigid bodies: remove `mass`");
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    assert_int_equal(firn_scene_load_text(scene, text, "test.yaml", &load), FIRN_OK);
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_REFUSED_SCENE);
    assert_contains(firn_scene_messages(scene), ":9:");  // where `mass` stands
    firn_scene_destroy(scene);
}

static void room_for_particles(void** state)
{
    (void)state;
    static const char text[] = "firn: 1\nsolver: ballistic\ntime: {frames: 4, fps: 100}\n"
                               "ballistic: {dt: 0.002, spacing: 0.05}\n" SNOW;
    firn_sim_def def = firn_default_sim_def();
    firn_error error;
    def.particles_max = -1;
    assert_int_equal(try_create(text, def, &error), FIRN_REFUSED_ARGUMENT);
    def.particles_max = (int64_t)INT32_MAX + 1;
    assert_int_equal(try_create(text, def, &error), FIRN_REFUSED_ARGUMENT);
    def.particles_max = 10;
    assert_int_equal(try_create(text, def, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "particles_max is 10");
    // steps and whole frames without an allocation
    def.particles_max = 100000;
    firn_sim* sim = play_start_def(text, def);
    uint64_t before = firn_memory_read().allocations;
    play_frames(sim, 2);
    assert_equal(firn_memory_read().allocations, before);
    firn_sim_destroy(sim);
    // which is not so without it: the first step makes room for what rollbacks return to
    def.particles_max = 0;
    sim = play_start_def(text, def);
    before = firn_memory_read().allocations;
    play_frames(sim, 2);
    assert_greater(firn_memory_read().allocations, before);
    firn_sim_destroy(sim);
}

int test_sim_create(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mass_without_a_solver_for_it),
                                       cmocka_unit_test(room_for_particles)};
    return cmocka_run_group_tests_name("sim_create", tests, NULL, NULL);
}
