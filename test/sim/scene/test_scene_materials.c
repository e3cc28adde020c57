// SPDX-License-Identifier: MIT
// Materials from code: fluids and what they turn into, as a scene file has them.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

static firn_scene* new_scene(void)
{
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "solver", "sph"), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "sph.spacing", "0.02"), FIRN_OK);
    return scene;
}

static firn_material_def batter(firn_material_id ice)
{
    firn_material_def def = firn_default_material_def();
    def.name = "batter";
    def.phase = FIRN_MATERIAL_VISCOUS;
    def.density = 1200;
    def.viscosity = 20;
    def.surface_tension = (firn_real)0.05;
    def.becomes = ice;
    def.becomes_after = 0.05;
    def.becomes_over = 0.01;
    return def;
}

// A box of batter turns into ice after 50 ms.
static void a_fluid_becomes_snow(void** state)
{
    (void)state;
    firn_scene* scene = new_scene();
    firn_material_def def = firn_default_material_def();
    firn_material_id ice, fluid;
    def.name = "ice";
    def.density = 600;
    assert_int_equal(firn_scene_add_material(scene, &def, &ice), FIRN_OK);
    def = batter(ice);
    assert_int_equal(firn_scene_add_material(scene, &def, &fluid), FIRN_OK);
    firn_snow_def snow = firn_default_snow_def();
    snow.material = fluid;
    assert_int_equal(firn_scene_box(scene, (firn_vec3){0, 1, 0},
                                    (firn_vec3){(firn_real)0.1, (firn_real)0.1, (firn_real)0.1}, 0,
                                    &snow.shape),
                     FIRN_OK);
    assert_int_equal(firn_scene_add_snow(scene, &snow, NULL), FIRN_OK);
    char* text = firn_scene_yaml(scene);
    assert_non_null(text);
    assert_contains(text, "phase: viscous");
    assert_contains(text, "viscosity: 20");
    assert_contains(text, "surface_tension: 0.05");
    assert_contains(text, "becomes: {material: \"ice\", after: 0.05");
    firn_text_free(text);
    firn_sim_def options = firn_default_sim_def();
    firn_sim* sim;
    firn_error error;
    if (firn_sim_create(scene, &options, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    while (firn_sim_read(sim).time < 0.1) assert_int_equal(firn_sim_step(sim), FIRN_OK);
    firn_field_view view;
    assert_int_equal(firn_sim_field(sim, "material", &view), FIRN_OK);
    assert_greater(view.count, 100);
    for (int64_t p = 0; p < view.count; p++)
        assert_int_equal(((const uint8_t*)view.data)[p], 0);  // ice
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
}

static void refused(firn_scene* scene, const firn_material_def* def, const char* sentence)
{
    firn_material_id id = {77, 77};
    assert_int_not_equal(firn_scene_add_material(scene, def, &id), FIRN_OK);
    assert_contains(firn_scene_messages(scene), sentence);
    assert_int_equal(id.slot1, 77);
}

static void mistakes(void** state)
{
    (void)state;
    firn_scene *scene = new_scene(), *other = new_scene();
    const firn_material_id none = {0, 0};
    firn_material_def def = batter(none);
    def.phase = (firn_material_kind)3;
    refused(scene, &def, "snow, water or viscous");
    def = batter(none);
    def.preset = "wet";
    refused(scene, &def, "does not start from a preset");
    def = batter(none);
    def.viscosity = -1;
    refused(scene, &def, "a viscosity of 0 to");
    def = batter(none);
    def.surface_tension = (firn_real)NAN;
    refused(scene, &def, "a surface tension of 0 to");
    def = batter(none);
    def.phase = FIRN_MATERIAL_SNOW;
    refused(scene, &def, "only fluids have a surface tension");
    firn_material_id theirs;
    def = batter(none);
    assert_int_equal(firn_scene_add_material(other, &def, &theirs), FIRN_OK);
    def = batter(theirs);  // of another scene
    assert_int_not_equal(firn_scene_add_material(scene, &def, NULL), FIRN_OK);
    firn_material_id mine;
    def = batter(none);
    assert_int_equal(firn_scene_add_material(scene, &def, &mine), FIRN_OK);
    def = batter(mine);
    def.becomes_over = -1;
    refused(scene, &def, "are times >= 0");
    def = batter(mine);
    def.becomes_below = -300;
    refused(scene, &def, "are temperatures, or NaN");
    firn_scene_destroy(other);
    firn_scene_destroy(scene);
}

// A program that was compiled before there were fluids.
static void an_older_definition_is_snow(void** state)
{
    (void)state;
    firn_scene* scene = new_scene();
    firn_material_def def = batter((firn_material_id){0, 0});
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_MATERIAL),
                  (uint32_t)offsetof(firn_material_def, phase));
    assert_int_equal(firn_scene_add_material(scene, &def, NULL), FIRN_OK);
    char* text = firn_scene_yaml(scene);
    assert_non_null(text);
    assert_lacks(text, "phase:");
    assert_lacks(text, "becomes:");
    firn_text_free(text);
    firn_scene_destroy(scene);
}

int test_scene_materials(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fluid_becomes_snow),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(an_older_definition_is_snow),
    };
    return cmocka_run_group_tests_name("scene_materials", tests, NULL, NULL);
}
