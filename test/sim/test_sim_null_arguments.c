// SPDX-License-Identifier: MIT
// Every public function with null pointers: refused or an empty answer, never a crash. Messages
// belong to the last call; a cancel waits for the next step. test/compile/null_calls.sh checks that
// no function is missing. Longer than 400 lines because every function of the interface is in it.
#include <math.h>
#include <string.h>

#include "collider_at.h"
#include "firn/firn.h"
#include "firn_test.h"

// With a sentence; other tests have the texts.
#define REFUSED(call)                                                         \
    do {                                                                      \
        assert_int_equal((call), FIRN_REFUSED_ARGUMENT);                      \
        if (firn_last_error()[0] == '\0') fail_msg("%s: no sentence", #call); \
    } while (0)

static const char yaml[] =
    "firn: 1\n"
    "time: {frames: 2}\n"
    "mpm: {cell: 0.1}\n"
    "snow:\n  - shape: {sphere: {center: [0, 1, 0], radius: 0.2}}\n"
    "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n";

static firn_sim* small_sim(void)
{
    firn_scene* scene;
    firn_sim* sim;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_load_text(scene, yaml, "null", NULL), FIRN_OK);
    const firn_sim_def def = firn_default_sim_def();
    assert_int_equal(firn_sim_create(scene, &def, &sim, NULL), FIRN_OK);
    firn_scene_destroy(scene);
    return sim;
}

// Shapes of no scene, and of a scene without room for the id.
static void shapes_of(firn_scene* scene)
{
    firn_shape_id id = {0};
    firn_shape_id* out = scene == NULL ? &id : NULL;
    const firn_vec3 v = {1, 1, 1};
    REFUSED(firn_scene_plane(scene, v, v, out));
    REFUSED(firn_scene_sphere(scene, v, 1, out));
    REFUSED(firn_scene_box(scene, v, v, 0, out));
    REFUSED(firn_scene_capsule(scene, v, v, 1, out));
    REFUSED(firn_scene_cylinder(scene, v, v, 1, out));
    REFUSED(firn_scene_cone(scene, v, v, 1, 1, out));
    REFUSED(firn_scene_wedge(scene, v, v, out));
    REFUSED(firn_scene_union(scene, id, id, out));
    REFUSED(firn_scene_intersection(scene, id, id, out));
    REFUSED(firn_scene_difference(scene, id, id, out));
    REFUSED(firn_scene_transform(scene, id, v, (firn_quat){1, 0, 0, 0}, 1, out));
    REFUSED(firn_scene_text(scene, NULL, out));
    REFUSED(firn_scene_mesh(scene, NULL, out));
    REFUSED(firn_scene_level_set(scene, "file.vdb", NULL, out));
}

static void no_scene(void** state)
{
    (void)state;
    firn_scene_info info;
    REFUSED(firn_scene_create(NULL));
    firn_scene_destroy(NULL);
    REFUSED(firn_scene_load(NULL, "first-scene", NULL));
    REFUSED(firn_scene_load_text(NULL, yaml, NULL, NULL));
    assert_string_equal(firn_scene_messages(NULL), "");
    assert_int_equal(firn_scene_error_count(NULL), 0);
    assert_int_equal(firn_scene_warning_count(NULL), 0);
    REFUSED(firn_scene_set(NULL, "mpm.cell", "1"));
    REFUSED(firn_scene_check(NULL, 1, &info));
    assert_true(firn_scene_snow_mass(NULL, 0) < 0);
    assert_null(firn_scene_variant(NULL, 0));
    firn_material_id found;
    REFUSED(firn_scene_material_named(NULL, "snow", &found));
    const firn_material_def material = firn_default_material_def();
    const firn_measured_def measured = firn_default_measured_def();
    const firn_snow_def snow = firn_default_snow_def();
    const firn_emitter_def emitter = firn_default_emitter_def();
    const firn_collider_def collider = firn_default_collider_def();
    const firn_body_animation_def animation = firn_default_body_animation_def();
    REFUSED(firn_scene_add_material(NULL, &material, NULL));
    REFUSED(firn_scene_add_measured(NULL, &measured, NULL));
    REFUSED(firn_scene_add_snow(NULL, &snow, NULL));
    REFUSED(firn_scene_add_emitter(NULL, &emitter, NULL));
    const firn_force_def force = firn_default_force_def();
    const firn_gravity_at gravity = {0, {0, 0, 0}};
    REFUSED(firn_scene_add_force(NULL, &force));
    REFUSED(firn_scene_set_gravity_keys(NULL, &gravity, 1));
    REFUSED(firn_scene_start_from(NULL, "run", 0, "folder"));
    REFUSED(firn_scene_add_collider(NULL, &collider, NULL));
    REFUSED(firn_scene_add_joint(NULL, NULL, NULL));
    REFUSED(firn_scene_add_animated_collider(NULL, &collider, &animation, NULL));
    shapes_of(NULL);
}

static void nothing_to_put_into_a_scene(void** state)
{
    (void)state;
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    REFUSED(firn_scene_load(scene, NULL, NULL));
    REFUSED(firn_scene_load_text(scene, NULL, NULL, NULL));
    REFUSED(firn_scene_set(scene, NULL, "1"));
    REFUSED(firn_scene_set(scene, "mpm.cell", NULL));
    REFUSED(firn_scene_check(scene, 1, NULL));
    firn_material_id found;
    REFUSED(firn_scene_material_named(scene, NULL, &found));
    REFUSED(firn_scene_material_named(scene, "snow", NULL));
    REFUSED(firn_scene_add_material(scene, NULL, NULL));
    REFUSED(firn_scene_add_measured(scene, NULL, NULL));
    REFUSED(firn_scene_add_snow(scene, NULL, NULL));
    REFUSED(firn_scene_add_emitter(scene, NULL, NULL));
    REFUSED(firn_scene_add_force(scene, NULL));
    REFUSED(firn_scene_set_gravity_keys(scene, NULL, 1));
    REFUSED(firn_scene_start_from(scene, NULL, 0, "folder"));
    REFUSED(firn_scene_start_from(scene, "run", 0, NULL));
    REFUSED(firn_scene_add_collider(scene, NULL, NULL));
    REFUSED(firn_scene_add_joint(scene, NULL, NULL));
    REFUSED(firn_scene_add_animated_collider(scene, NULL, NULL, NULL));
    shapes_of(scene);
    const firn_material_def material = firn_default_material_def();
    assert_int_equal(firn_scene_add_material(scene, &material, NULL), FIRN_OK);  // no id wanted
    const firn_sim_def def = firn_default_sim_def();
    firn_error error;
    REFUSED(firn_sim_create(scene, &def, NULL, &error));
    assert_string_not_equal(error.text, "");
    firn_scene_destroy(scene);
}

static void no_simulation(void** state)
{
    (void)state;
    firn_sim* sim;
    firn_field_view view;
    firn_body_info body;
    firn_body_mesh mesh;
    firn_view_info info;
    firn_body_load load;
    firn_height_def heights = firn_default_height_def();
    float height;
    REFUSED(firn_sim_create(NULL, NULL, &sim, NULL));
    firn_sim_destroy(NULL);
    assert_string_equal(firn_sim_error(NULL), "");
    REFUSED(firn_sim_step(NULL));
    REFUSED(firn_sim_frame(NULL));
    REFUSED(firn_sim_run(NULL));
    REFUSED(firn_sim_run_overlapped(NULL));
    firn_sim_cancel(NULL);
    assert_int_equal(firn_sim_read(NULL).particle_count, 0);
    REFUSED(firn_sim_field(NULL, "position", &view));
    assert_int_equal(firn_sim_field_count(NULL), 0);
    REFUSED(firn_sim_field_at(NULL, 0, &view));
    assert_int_equal(firn_sim_hash(NULL), 0);
    REFUSED(firn_sim_advance_by(NULL, 0.1, 0, NULL));
    assert_int_equal(firn_sim_body_count(NULL), 0);
    REFUSED(firn_sim_body(NULL, (firn_collider_id){0}, &body));
    REFUSED(firn_sim_body_move(NULL, (firn_collider_id){0}, NULL));
    REFUSED(firn_sim_body_release(NULL, (firn_collider_id){0}));
    REFUSED(firn_sim_body_load(NULL, (firn_collider_id){0}, &load, NULL));
    REFUSED(firn_sim_body_mesh(NULL, (firn_collider_id){0}, &mesh, NULL));
    firn_body_mesh_free(NULL);
    REFUSED(firn_sim_set_temperature(NULL, 0));
    assert_true(isnan(firn_sim_temperature(NULL)));
    REFUSED(firn_sim_view(NULL, &info));
    REFUSED(firn_sim_heights(NULL, &heights, &height));
    uint8_t pixel[3];
    REFUSED(firn_sim_picture(NULL, 1, 1, pixel));
    REFUSED(firn_sim_height_box(NULL, &heights));
}

static void nothing_to_put_into_a_simulation(void** state)
{
    (void)state;
    firn_sim* sim = small_sim();
    firn_field_view view;
    firn_height_def heights = firn_default_height_def();
    REFUSED(firn_sim_field(sim, NULL, &view));
    REFUSED(firn_sim_field(sim, "position", NULL));
    REFUSED(firn_sim_field_at(sim, 0, NULL));
    assert_int_equal(firn_sim_advance_by(sim, 0, 0, NULL), FIRN_OK);
    REFUSED(firn_sim_body(sim, collider_at(sim, 0), NULL));
    REFUSED(firn_sim_body_move(sim, collider_at(sim, 0), NULL));
    assert_int_equal(firn_sim_body_load(sim, collider_at(sim, 0), NULL, NULL), FIRN_OK);
    REFUSED(firn_sim_body_mesh(sim, collider_at(sim, 0), NULL, NULL));
    REFUSED(firn_sim_view(sim, NULL));
    REFUSED(firn_sim_heights(sim, &heights, NULL));
    REFUSED(firn_sim_heights(sim, NULL, NULL));
    REFUSED(firn_sim_picture(sim, 1, 1, NULL));
    REFUSED(firn_sim_height_box(sim, NULL));
    float height = 42;
    heights.cookie = 0;  // not from the default function
    REFUSED(firn_sim_heights(sim, &heights, &height));
    firn_sim_destroy(sim);
}

static void the_rest(void** state)
{
    (void)state;
    firn_replay* replay = NULL;
    REFUSED(firn_replay_open(NULL, &replay, NULL));
    firn_replay_close(NULL);
    assert_int_equal(firn_replay_frames(NULL, NULL), 0);
    REFUSED(firn_replay_seek(NULL, 0, NULL));
    assert_int_equal(firn_replay_frame(NULL), -1);
    assert_true(firn_replay_time(NULL) == 0);
    REFUSED(firn_replay_view(NULL, NULL));
    REFUSED(firn_replay_field(NULL, NULL, NULL));
    assert_int_equal(firn_replay_field_count(NULL), 0);
    REFUSED(firn_replay_field_at(NULL, 0, NULL));
    assert_int_equal(firn_replay_body_count(NULL), 0);
    REFUSED(firn_replay_body(NULL, (firn_collider_id){0}, NULL));
    REFUSED(firn_replay_body_mesh(NULL, (firn_collider_id){0}, NULL, NULL));
    REFUSED(firn_replay_heights(NULL, NULL, NULL));
    REFUSED(firn_replay_height_box(NULL, NULL));
    REFUSED(firn_replay_heights_update(NULL, NULL, NULL));
    uint8_t pixel[3];
    REFUSED(firn_replay_picture(NULL, 1, 1, pixel, NULL));
    REFUSED(firn_cache_read(NULL, false, NULL, NULL));
    REFUSED(firn_file_describe(NULL, NULL, NULL));
    REFUSED(firn_export(NULL, NULL));
    REFUSED(firn_cache_measure(NULL, NULL, NULL, NULL));
    REFUSED(firn_cache_trim(NULL, &(firn_trim_summary){0}, NULL));
    firn_measure_free(NULL);
    REFUSED(firn_render(NULL, NULL, NULL));
    REFUSED(firn_preset_at(0, NULL));
    REFUSED(firn_measured_at(0, NULL));
    REFUSED(firn_solver_at(0, NULL));
    REFUSED(firn_scene_list(NULL, NULL));
    firn_text_free(NULL);
    assert_true(firn_device_list(NULL, 4, NULL) >= 0);
    assert_null(firn_suggest(NULL, NULL, 3));
    assert_null(firn_field_find(NULL));
    REFUSED(firn_bench(NULL, NULL, NULL, NULL));
    REFUSED(firn_bench_scale(NULL, NULL, NULL, NULL));
    REFUSED(firn_bench_table(NULL, NULL, NULL, NULL));
    firn_bench_free(NULL);
    REFUSED(firn_bench_machine(NULL, NULL, NULL));
    REFUSED(firn_bench_pictures(NULL, NULL, NULL, NULL));
    firn_bench_pictures_free(NULL);
    REFUSED(firn_recording_begin(NULL, 1, 1, 1, NULL, NULL));
    REFUSED(firn_recording_add(NULL, NULL, NULL));
    REFUSED(firn_recording_end(NULL, NULL));
    firn_recording_abandon(NULL);
    REFUSED(firn_yaml_differences("a: 1", "a: 2", NULL, NULL));
    REFUSED(firn_picture_save("a.png", 1, 1, NULL, NULL));
}

// Functions that have no pointers to be null, or for which null means something.
static void nothing_is_needed(void** state)
{
    (void)state;
    firn_def_init(NULL, 0, 0);
    assert_true(firn_default_layer_def().factor[0] == 1);
    assert_true(firn_measured_list_count() > 0 && firn_preset_list_count() > 0);
    assert_true(firn_solver_list_count() > 0);
    assert_true(firn_version().major == FIRN_VERSION_MAJOR);
    char *page = firn_reference_markdown(), *schema = firn_reference_schema();
    assert_true(page != NULL && schema != NULL);
    firn_text_free(page);
    firn_text_free(schema);
    (void)firn_set_allocator(NULL);  // the C library; refused while firn holds memory
}

// What was added after the first of these tests.
static void world_state_and_queries(void** state)
{
    (void)state;
    const firn_vec3 v = {0, -1, 0};
    firn_collider_id id;
    size_t size;
    REFUSED(firn_scene_set_threads(NULL, 1, NULL));
    assert_null(firn_scene_yaml(NULL));
    REFUSED(firn_sim_device_field(NULL, "position", NULL));
    REFUSED(firn_sim_dlpack(NULL, "position", NULL));
    REFUSED(firn_sim_dlpack_versioned(NULL, "position", NULL));
    REFUSED(firn_sim_body_at(NULL, 0, &id));
    REFUSED(firn_replay_body_at(NULL, 0, &id));
    const firn_collider_id none = {0};
    const firn_emitter_id no_emitter = {0};
    REFUSED(firn_sim_add_collider(NULL, NULL, NULL, NULL, NULL));
    REFUSED(firn_sim_remove_collider(NULL, none));
    REFUSED(firn_sim_body_impulse(NULL, none, v, NULL));
    REFUSED(firn_sim_body_torque(NULL, none, v));
    REFUSED(firn_sim_add_emitter(NULL, NULL, NULL, NULL));
    REFUSED(firn_sim_remove_emitter(NULL, no_emitter));
    const firn_joint_id no_joint = {0};
    firn_joint_info joint;
    REFUSED(firn_sim_add_joint(NULL, NULL, NULL));
    REFUSED(firn_sim_remove_joint(NULL, no_joint));
    REFUSED(firn_sim_joint(NULL, no_joint, &joint));
    REFUSED(firn_sim_set_gravity(NULL, v));
    REFUSED(firn_sim_set_wind(NULL, v));
    assert_true(firn_sim_gravity(NULL).y == 0 && firn_sim_wind(NULL).y == 0);
    const firn_snow_id no_snow = {0};
    const firn_shape_id no_shape = {0};
    REFUSED(firn_sim_add_snow(NULL, NULL, NULL, NULL, NULL));
    REFUSED(firn_sim_snow_particles(NULL, no_snow, NULL, NULL));
    REFUSED(firn_sim_remove_snow(NULL, NULL, no_shape, NULL, NULL));
    REFUSED(firn_sim_remove_particles(NULL, NULL, 1, NULL));
    REFUSED(firn_sim_field_edit(NULL, "position", NULL));
    REFUSED(firn_sim_edit_commit(NULL));
    REFUSED(firn_sim_save(NULL, NULL, 0, &size));
    REFUSED(firn_sim_restore(NULL, NULL, 0));
    REFUSED(firn_sim_height_box(NULL, NULL));
    REFUSED(firn_replay_height_box(NULL, NULL));
    REFUSED(firn_sim_surface(NULL, NULL, NULL));
    REFUSED(firn_heights_create(NULL, NULL, NULL));
    REFUSED(firn_heights_update(NULL, NULL, NULL));
    assert_null(firn_heights_data(NULL));
    firn_heights_destroy(NULL);
    REFUSED(firn_sim_height_at(NULL, 0, 0, 0, NULL));
    REFUSED(firn_sim_ray(NULL, v, v, 1, NULL));
    REFUSED(firn_sim_rays(NULL, NULL, 1, NULL));
    REFUSED(firn_sim_snow_in_box(NULL, NULL, NULL, NULL));
    REFUSED(firn_sim_snow_in_ball(NULL, NULL, 1, NULL));
    firn_surface_mesh_free(NULL);
}

static void nothing_to_put_into_world_and_queries(void** state)
{
    (void)state;
    const firn_vec3 v = {0, -1, 0};
    const firn_collider_id none = {0};
    const firn_emitter_id no_emitter = {0};
    const firn_snow_id no_snow = {0};
    const firn_shape_id no_shape = {0};
    const firn_joint_id no_joint = {0};
    firn_joint_info joint;
    firn_sim* sim = small_sim();
    REFUSED(firn_sim_body_at(sim, 0, NULL));
    REFUSED(firn_sim_device_field(sim, NULL, NULL));
    REFUSED(firn_sim_dlpack(sim, NULL, NULL));
    REFUSED(firn_sim_dlpack_versioned(sim, NULL, NULL));
    REFUSED(firn_sim_add_snow(sim, NULL, NULL, NULL, NULL));
    REFUSED(firn_sim_snow_particles(sim, no_snow, NULL, NULL));
    REFUSED(firn_sim_remove_snow(sim, NULL, no_shape, NULL, NULL));
    REFUSED(firn_sim_remove_particles(sim, NULL, 1, NULL));
    REFUSED(firn_sim_field_edit(sim, "position", NULL));
    REFUSED(firn_sim_edit_commit(sim));  // nothing is open
    REFUSED(firn_sim_save(sim, NULL, 0, NULL));
    REFUSED(firn_sim_restore(sim, NULL, 8));
    REFUSED(firn_sim_height_box(sim, NULL));
    REFUSED(firn_sim_surface(sim, NULL, NULL));
    REFUSED(firn_sim_height_at(sim, 0, 0, 0, NULL));
    REFUSED(firn_sim_ray(sim, v, v, 1, NULL));
    REFUSED(firn_sim_rays(sim, NULL, 1, NULL));
    REFUSED(firn_sim_snow_in_box(sim, NULL, NULL, NULL));
    REFUSED(firn_sim_snow_in_ball(sim, NULL, 1, NULL));
    REFUSED(firn_sim_add_collider(sim, NULL, NULL, NULL, NULL));
    REFUSED(firn_sim_remove_collider(sim, none));
    REFUSED(firn_sim_body_impulse(sim, none, v, NULL));
    REFUSED(firn_sim_body_torque(sim, none, v));
    REFUSED(firn_sim_remove_emitter(sim, no_emitter));
    REFUSED(firn_sim_add_joint(sim, NULL, NULL));
    REFUSED(firn_sim_remove_joint(sim, no_joint));
    REFUSED(firn_sim_joint(sim, no_joint, &joint));
    REFUSED(firn_sim_joint(sim, no_joint, NULL));
    firn_sim_destroy(sim);
}

static void messages_belong_to_the_last_call(void** state)
{
    (void)state;
    firn_sim* sim = small_sim();
    firn_field_view view;
    assert_int_equal(firn_sim_field(sim, "positon", &view), FIRN_REFUSED_NAME);
    assert_non_null(strstr(firn_sim_error(sim), "'positon'"));
    assert_non_null(strstr(firn_sim_error(sim), "did you mean 'position'?"));
    assert_int_equal(firn_sim_field(sim, "position", &view), FIRN_OK);
    assert_string_equal(firn_sim_error(sim), "");
    assert_int_equal(firn_sim_body_release(sim, collider_at(sim, 7)), FIRN_REFUSED_ARGUMENT);
    assert_string_not_equal(firn_sim_error(sim), "");
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    assert_string_equal(firn_sim_error(sim), "");
    firn_sim_destroy(sim);
}

static void a_cancel_waits_for_the_next_step(void** state)
{
    (void)state;
    firn_sim* sim = small_sim();
    firn_sim_cancel(sim);
    assert_int_equal(firn_sim_step(sim), FIRN_INTERRUPTED);
    assert_int_equal(firn_sim_read(sim).step, 0);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    firn_sim_cancel(sim);
    assert_int_equal(firn_sim_frame(sim), FIRN_INTERRUPTED);
    assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    firn_sim_destroy(sim);
}

int test_sim_null_arguments(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_scene),
        cmocka_unit_test(nothing_to_put_into_a_scene),
        cmocka_unit_test(no_simulation),
        cmocka_unit_test(nothing_to_put_into_a_simulation),
        cmocka_unit_test(the_rest),
        cmocka_unit_test(nothing_is_needed),
        cmocka_unit_test(world_state_and_queries),
        cmocka_unit_test(nothing_to_put_into_world_and_queries),
        cmocka_unit_test(messages_belong_to_the_last_call),
        cmocka_unit_test(a_cancel_waits_for_the_next_step),
    };
    return cmocka_run_group_tests_name("sim_null_arguments", tests, NULL, NULL);
}
