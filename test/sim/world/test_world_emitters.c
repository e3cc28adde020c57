// SPDX-License-Identifier: MIT
// Emitters that come and go between steps: their flakes are those of an emitter of the scene.
#include "world_emitters_cases.h"

#define REFUSED(call, code, part)                   \
    do {                                            \
        assert_int_equal(call, code);               \
        assert_contains(firn_sim_error(sim), part); \
    } while (0)

static void refused(void** state)
{
    (void)state;
    firn_scene* prefabs;
    assert_int_equal(firn_scene_create(&prefabs), FIRN_OK);
    const firn_emitter_def def = flakes_def(prefabs);
    firn_sim* sim = world_start("grains", "");
    REFUSED(firn_sim_add_emitter(sim, prefabs, &def, NULL), FIRN_REFUSED_NAME,
            "solver 'grains' does not support emitters: use mpm or sph");
    firn_sim_destroy(sim);
    sim = world_start("sph", emitters);
    REFUSED(firn_sim_add_emitter(sim, NULL, &def, NULL), FIRN_REFUSED_ARGUMENT, "scene");
    REFUSED(firn_sim_add_emitter(sim, prefabs, NULL, NULL), FIRN_REFUSED_ARGUMENT, "def");
    firn_emitter_def bad = def;
    bad.rate = 0;
    REFUSED(firn_sim_add_emitter(sim, prefabs, &bad, NULL), FIRN_REFUSED_ARGUMENT, "rate");
    world_frames(sim, 2);
    bad = def;
    bad.stop = 0.01;
    REFUSED(firn_sim_add_emitter(sim, prefabs, &bad, NULL), FIRN_REFUSED_ARGUMENT, "later time");
    firn_material_def snow = firn_default_material_def();
    snow.density = 333;
    bad = def;
    assert_int_equal(firn_scene_add_material(prefabs, &snow, &bad.material), FIRN_OK);
    REFUSED(firn_sim_add_emitter(sim, prefabs, &bad, NULL), FIRN_REFUSED_ARGUMENT, "material");
    firn_emitter_id id = {2, sim->owner};
    REFUSED(firn_sim_remove_emitter(sim, id), FIRN_REFUSED_ARGUMENT, "no emitter 1");
    REFUSED(firn_sim_remove_emitter(sim, (firn_emitter_id){0}), FIRN_REFUSED_ARGUMENT, "null");
    assert_int_equal(firn_sim_remove_emitter(NULL, id), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_add_emitter(NULL, prefabs, &def, NULL), FIRN_REFUSED_ARGUMENT);
    firn_sim_destroy(sim);
    firn_scene_destroy(prefabs);
}

int test_world_emitters(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_scene), cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("world_emitters", tests, NULL, NULL);
}
