// SPDX-License-Identifier: MIT
// Colliders from code: key frames, scale, and a platform of mesh files that lifts the snow on it,
// through the whole of a run.
#include <math.h>
#include <stdlib.h>

#include "firn_test.h"
#include "geometry/collider/collider.h"
#include "geometry/obj_sequence.h"
#include "scene/write/scene_write.h"
#include "sim/sim.h"

static firn_scene* new_scene(void)
{
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "mpm.cell", "0.05"), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "time.fps", "24"), FIRN_OK);
    firn_shape_id ball;
    assert_int_equal(firn_scene_box(scene, (firn_vec3){0, (firn_real)0.1, 0},
                                    (firn_vec3){(firn_real)0.4, (firn_real)0.2, (firn_real)0.4}, 0,
                                    &ball),
                     FIRN_OK);
    firn_snow_def snow = firn_default_snow_def();
    snow.shape = ball;
    firn_snow_id id;
    assert_int_equal(firn_scene_add_snow(scene, &snow, &id), FIRN_OK);
    return scene;
}

static firn_shape_id add_platform(firn_scene* scene)
{
    firn_shape_id shape;
    assert_int_equal(firn_scene_box(scene, (firn_vec3){0, (firn_real)-0.1, 0},
                                    (firn_vec3){1, (firn_real)0.2, 1}, 0, &shape),
                     FIRN_OK);
    return shape;
}

// [m] The mean height is 0.1 at the start and 0.2 more at the end; about half a cell of 5 cm is
// left for settling and for the grid.
#define LIFTED 0.3
#define LIFT_ERROR 0.03

// Mean height of the snow after four frames.
static double run(firn_scene* scene)
{
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    firn_sim* sim;
    firn_error error = {0};
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    for (int f = 0; f < 4; f++)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    firn_field_view x;
    assert_int_equal(firn_sim_field(sim, "position", &x), FIRN_OK);
    double sum = 0;
    for (firn_local p = 0; p < x.count; p++) sum += (double)((const firn_vec3*)x.data)[p].y;
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return sum / x.count;
}

static void snow_rises_with_key_frames(void** state)
{
    (void)state;
    firn_scene* scene = new_scene();
    const firn_collider_key keys[2] = {{0, {0, 0, 0}, {1, 0, 0, 0}, 1},
                                       {4. / 24, {0, (firn_real)0.2, 0}, {1, 0, 0, 0}, 1}};
    firn_collider_def def = firn_default_collider_def();
    def.shape = add_platform(scene);
    def.sticky = true;
    def.keys = keys;
    def.key_count = 2;
    def.linear = true;
    firn_collider_id id;
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_OK);
    assert_near(run(scene), LIFTED, LIFT_ERROR);
}

static void snow_rises_with_a_deforming_mesh(void** state)
{
    (void)state;
    setenv("FIRN_CACHE", "off", 1);
    obj_write_sequence(FIRN_TEST_TMP, "lift", 1, 5, 0.05);
    firn_scene* scene = new_scene();
    firn_collider_def def = firn_default_collider_def();
    def.sticky = true;
    firn_body_animation_def lift = firn_default_body_animation_def();
    lift.file = FIRN_TEST_TMP "/lift.%03d.obj";
    lift.last = 5;
    lift.voxel = (firn_real)0.05;
    firn_collider_id id;
    assert_int_equal(firn_scene_add_animated_collider(scene, &def, &lift, &id), FIRN_OK);
    firn_scene_info info;
    const firn_result checked = firn_scene_check(scene, 1, &info);
    if (checked != FIRN_OK) fail_msg("%s", firn_scene_messages(scene));
    assert_near(run(scene), LIFTED, LIFT_ERROR);
}

static void what_is_wrong_is_told(void** state)
{
    (void)state;
    firn_scene* scene = new_scene();
    firn_collider_id id;
    firn_collider_def def = firn_default_collider_def();
    firn_body_animation_def lift = firn_default_body_animation_def();
    assert_int_equal(firn_scene_add_animated_collider(scene, &def, &lift, &id),
                     FIRN_REFUSED_ARGUMENT);
    lift.file = FIRN_TEST_TMP "/none.%d.obj";
    lift.voxel = (firn_real)0.1;
    assert_int_equal(firn_scene_add_animated_collider(scene, &def, &lift, &id), FIRN_REFUSED_IO);
    assert_contains(firn_scene_messages(scene), "none.1.obj");
    lift.cookie = 0;
    assert_int_equal(firn_scene_add_animated_collider(scene, &def, &lift, &id),
                     FIRN_REFUSED_ARGUMENT);
    def.shape = add_platform(scene);
    def.scale = 0;
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_scene_messages(scene), "the scale is 0");
    def.scale = 1;
    const firn_collider_key key = {0, {0, 0, 0}, {1, 0, 0, 0}, 1};
    def.keys = &key;
    def.key_count = 1;
    def.velocity.x = 1;
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_scene_messages(scene), "use one of them");
    def.velocity.x = 0;
    def.key_count = 0;
    def.motion_file = "a.glb";
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_scene_messages(scene), "motion_node");
    def.motion_node = "Plow";
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_REFUSED_IO);
    def.motion_file = NULL;
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_OK);
    firn_scene_destroy(scene);
}

// A mass and the warmth of the air, as a scene file gives them.
static void free_and_warm(void** state)
{
    (void)state;
    firn_scene* scene = new_scene();
    firn_collider_def def = firn_default_collider_def();
    firn_collider_id id;
    def.shape = add_platform(scene);
    def.mass = 5;
    def.velocity.y = 2;
    def.temperature_of_air = true;
    const firn_local n = scene->data.collider_count;
    const uint64_t before = firn_scene_hash(&scene->data);
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_OK);
    const firn_collider* c = &scene->data.colliders[n];
    assert_equal(c->mass, 5);
    assert_equal(c->moved_by, FIRN_MOVED_BY_SOLVER);
    assert_true(c->temperature_of_air);
    assert_equal(c->drive.velocity.y, 2);
    assert_not_equal(firn_scene_hash(&scene->data), before);
    def.pivot.x = 1;
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_scene_messages(scene), "is dynamic");
    def.pivot.x = 0;
    def.mass = -1;
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_REFUSED_ARGUMENT);
    def.mass = 0;
    def.temperature = 3;
    assert_int_equal(firn_scene_add_collider(scene, &def, &id), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_scene_messages(scene), "not both");
    assert_int_equal(scene->data.collider_count, n + 1);
    firn_scene_destroy(scene);
}

int test_scene_colliders(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(snow_rises_with_key_frames),
                                       cmocka_unit_test(snow_rises_with_a_deforming_mesh),
                                       cmocka_unit_test(free_and_warm),
                                       cmocka_unit_test(what_is_wrong_is_told)};
    return cmocka_run_group_tests_name("scene_colliders", tests, NULL, NULL);
}
