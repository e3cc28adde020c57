// SPDX-License-Identifier: MIT
// Ids name an item and its scene: those of another scene, of a scene that was loaded again, and
// null are refused with a sentence, and nothing changes.
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

static const firn_vec3 up = {0, 1, 0}, origin = {0, 0, 0};

typedef struct world {
    firn_scene* scene;
    firn_shape_id ball, ground;
    firn_material_id material;
    firn_snow_id snow;
    firn_collider_id floor;
} world;

static world make_world(void)
{
    world w = {0};
    assert_int_equal(firn_scene_create(&w.scene), FIRN_OK);
    assert_int_equal(firn_scene_sphere(w.scene, up, (firn_real)0.2, &w.ball), FIRN_OK);
    assert_int_equal(firn_scene_plane(w.scene, origin, up, &w.ground), FIRN_OK);
    const firn_material_def material = firn_default_material_def();
    assert_int_equal(firn_scene_add_material(w.scene, &material, &w.material), FIRN_OK);
    firn_snow_def snow = firn_default_snow_def();
    snow.shape = w.ball;
    snow.material = w.material;
    assert_int_equal(firn_scene_add_snow(w.scene, &snow, &w.snow), FIRN_OK);
    firn_collider_def collider = firn_default_collider_def();
    collider.shape = w.ground;
    assert_int_equal(firn_scene_add_collider(w.scene, &collider, &w.floor), FIRN_OK);
    assert_int_equal(firn_scene_set(w.scene, "mpm.cell", "0.1"), FIRN_OK);
    return w;
}

static firn_sim* make_sim(const firn_scene* scene)
{
    firn_sim* sim;
    firn_error error;
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    return sim;
}

static void assert_refused(const firn_scene* scene, firn_result r, const char* sentence)
{
    assert_int_equal(r, FIRN_REFUSED_ARGUMENT);
    if (strstr(firn_scene_messages(scene), sentence) == NULL)
        fail_msg("'%s' is not in: %s", sentence, firn_scene_messages(scene));
}

// Shapes and materials of scene b in calls on scene a.
static void scenes_refuse_foreign_ids(void** state)
{
    (void)state;
    const world a = make_world(), b = make_world();
    firn_shape_id shape = {77, 77};
    assert_int_equal(a.ball.slot1, b.ball.slot1);
    assert_refused(a.scene, firn_scene_union(a.scene, a.ball, b.ball, &shape), "another scene");
    assert_refused(a.scene, firn_scene_difference(a.scene, b.ball, a.ball, &shape),
                   "another scene");
    assert_refused(a.scene,
                   firn_scene_transform(a.scene, b.ball, up, (firn_quat){1, 0, 0, 0}, 1, &shape),
                   "another scene");
    assert_int_equal(shape.slot1, 77);
    firn_snow_def snow = firn_default_snow_def();
    assert_refused(a.scene, firn_scene_add_snow(a.scene, &snow, NULL), "shape id is null");
    snow.shape = b.ball;
    assert_refused(a.scene, firn_scene_add_snow(a.scene, &snow, NULL), "shape id is of another");
    snow.shape = a.ball;
    snow.material = b.material;
    assert_refused(a.scene, firn_scene_add_snow(a.scene, &snow, NULL), "material id is of another");
    firn_collider_def collider = firn_default_collider_def();
    collider.shape = b.ground;
    assert_refused(a.scene, firn_scene_add_collider(a.scene, &collider, NULL), "another scene");
    firn_emitter_def emitter = firn_default_emitter_def();
    emitter.rate = 1;
    emitter.shape = b.ball;
    assert_refused(a.scene, firn_scene_add_emitter(a.scene, &emitter, NULL), "another scene");
    emitter.shape = a.ball;
    firn_emitter_id id = {0};
    assert_int_equal(firn_scene_add_emitter(a.scene, &emitter, &id), FIRN_OK);
    assert_int_equal(id.slot1, 1);
    assert_int_equal(id.owner, a.ball.owner);
    firn_scene_destroy(a.scene);
    firn_scene_destroy(b.scene);
}

// A scene that is loaded has other items: ids from before name nothing.
static void ids_of_a_replaced_scene_are_stale(void** state)
{
    (void)state;
    const world w = make_world();
    const char* yaml = "firn: 1\nmpm: {cell: 0.1}\n"
                       "snow:\n  - shape: {sphere: {center: [0, 1, 0], radius: 0.2}}\n"
                       "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n";
    assert_int_equal(firn_scene_load_text(w.scene, yaml, "ids", NULL), FIRN_OK);
    firn_collider_def collider = firn_default_collider_def();
    collider.shape = w.ground;
    assert_refused(w.scene, firn_scene_add_collider(w.scene, &collider, NULL), "loaded");
    firn_sim* sim = make_sim(w.scene);
    firn_body_info info;
    assert_int_equal(firn_sim_body(sim, w.floor, &info), FIRN_REFUSED_ARGUMENT);
    firn_sim_destroy(sim);
    firn_scene_destroy(w.scene);
}

static void refused_by_sim(const firn_sim* sim, firn_result r, const char* sentence)
{
    assert_int_equal(r, FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(firn_sim_error(sim), sentence));
}

// A simulation takes its scene's ids and those of firn_sim_body_at, and no others.
static void simulations_know_their_colliders(void** state)
{
    (void)state;
    const world a = make_world(), b = make_world();
    firn_sim* sim = make_sim(a.scene);
    firn_body_info info;
    firn_body_load load;
    firn_body_mesh mesh;
    firn_collider_id id;
    assert_int_equal(firn_sim_body_at(sim, 0, &id), FIRN_OK);
    assert_memory_equal(&id, &a.floor, sizeof id);
    assert_int_equal(firn_sim_body(sim, a.floor, &info), FIRN_OK);
    refused_by_sim(sim, firn_sim_body_at(sim, 1, &id), "no collider 1");
    const uint64_t hash = firn_sim_hash(sim);
    const firn_collider_id past = {2, a.floor.owner}, none = {0};
    const firn_collider_id wrong[] = {b.floor, past, none};
    static const char* const why[] = {"another scene", "no collider 1", "null"};
    for (int k = 0; k < 3; k++) {
        refused_by_sim(sim, firn_sim_body(sim, wrong[k], &info), why[k]);
        refused_by_sim(sim, firn_sim_body_move(sim, wrong[k], &info.pose), why[k]);
        refused_by_sim(sim, firn_sim_body_release(sim, wrong[k]), why[k]);
        refused_by_sim(sim, firn_sim_body_load(sim, wrong[k], &load, NULL), why[k]);
        refused_by_sim(sim, firn_sim_body_mesh(sim, wrong[k], &mesh, NULL), why[k]);
    }
    assert_true(firn_sim_hash(sim) == hash);
    firn_sim_destroy(sim);
    firn_scene_destroy(a.scene);
    firn_scene_destroy(b.scene);
}

// The id of a collider that was removed stays refused, also after another one was added.
static void removed_colliders_are_refused(void** state)
{
    (void)state;
    const world w = make_world();
    firn_sim* sim = make_sim(w.scene);
    firn_body_info info;
    firn_body_load load;
    firn_body_mesh mesh;
    assert_int_equal(firn_sim_body(sim, w.floor, &info), FIRN_OK);
    assert_int_equal(firn_sim_remove_collider(sim, w.floor), FIRN_OK);
    firn_collider_def def = firn_default_collider_def();
    def.shape = w.ground;
    firn_collider_id added;
    assert_int_equal(firn_sim_add_collider(sim, w.scene, &def, NULL, &added), FIRN_OK);
    assert_int_not_equal(added.slot1, w.floor.slot1);
    refused_by_sim(sim, firn_sim_body_move(sim, w.floor, &info.pose), "removed");
    refused_by_sim(sim, firn_sim_body_release(sim, w.floor), "removed");
    refused_by_sim(sim, firn_sim_body_load(sim, w.floor, &load, NULL), "removed");
    refused_by_sim(sim, firn_sim_body_mesh(sim, w.floor, &mesh, NULL), "removed");
    refused_by_sim(sim, firn_sim_remove_collider(sim, w.floor), "removed");
    refused_by_sim(sim, firn_sim_body_torque(sim, w.floor, up), "removed");
    assert_int_equal(firn_sim_body_release(sim, added), FIRN_OK);
    firn_sim_destroy(sim);
    firn_scene_destroy(w.scene);
}

int test_sim_ids(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_refuse_foreign_ids),
        cmocka_unit_test(ids_of_a_replaced_scene_are_stale),
        cmocka_unit_test(simulations_know_their_colliders),
        cmocka_unit_test(removed_colliders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
