// SPDX-License-Identifier: MIT
// Colliders that come and go between steps: snow that they catch and let fall, and what is refused.
#include "world_colliders_cases.h"

static firn_collider_def ball_def(firn_scene* prefabs, firn_real mass)
{
    firn_collider_def def = firn_default_collider_def();
    assert_int_equal(firn_scene_sphere(prefabs, firn_v3(0, 0, 0), (firn_real)0.1, &def.shape),
                     FIRN_OK);
    def.mass = mass;
    return def;
}

// A ball with a mass falls from its pose, while a collider that the caller moves and another ball
// keep their motion; a removed ball leaves the world as if it had not been there.
static void dynamic(void** state)
{
    (void)state;
    firn_scene* prefabs = make_prefabs();
    const firn_collider_def ball = ball_def(prefabs, 2);
    firn_sim* sim = world_start("grains", far_floor);
    firn_sim* alone = world_start("grains", far_floor);
    const firn_body_pose there = pose_at(2, 1, 0), aside = pose_at(-2, 1, 0);
    firn_collider_id first, second;
    WORLD_MUST(sim, firn_sim_add_collider(sim, prefabs, &ball, &there, &first));
    world_frames(sim, 5);
    firn_body_info before, after;
    assert_int_equal(firn_sim_body(sim, world_id(sim, 1), &before), FIRN_OK);
    WORLD_MUST(sim, firn_sim_add_collider(sim, prefabs, &ball, &aside, &second));
    assert_int_equal(firn_sim_body(sim, world_id(sim, 1), &after), FIRN_OK);
    assert_memory_equal(&before.pose, &after.pose, sizeof after.pose);
    assert_int_equal(after.driver, FIRN_BODY_FREE);
    world_frames(sim, 5);
    assert_int_equal(firn_sim_body(sim, world_id(sim, 1), &after), FIRN_OK);
    assert_near(after.pose.velocity.y, -9.81 * 0.1, 1e-5);
    assert_near(after.pose.position.y, 1 - 0.5 * 9.81 * 0.01, 0.5 * 9.81 * 0.1 * 5e-3);
    assert_int_equal(firn_sim_body(sim, world_id(sim, 2), &after), FIRN_OK);
    assert_near(after.pose.velocity.y, -9.81 * 0.05, 1e-5);
    WORLD_MUST(sim, firn_sim_remove_collider(sim, first));
    WORLD_MUST(sim, firn_sim_remove_collider(sim, second));
    world_frames(sim, 2);
    world_frames(alone, 12);
    assert_equal(firn_sim_hash(sim), firn_sim_hash(alone));
    firn_sim_destroy(sim);
    firn_sim_destroy(alone);
    firn_scene_destroy(prefabs);
}

// A ball that is added above the snow lands in it: what grains push it with is their load on it.
static void rests_on_snow(void** state)
{
    (void)state;
    firn_scene* prefabs = make_prefabs();
    const firn_collider_def ball = ball_def(prefabs, (firn_real)0.5);
    firn_sim* sim = world_start("grains", floor_below);
    world_frames(sim, 5);
    const firn_body_pose pose = pose_at(0, 0.35, 0);
    WORLD_MUST(sim, firn_sim_add_collider(sim, prefabs, &ball, &pose, NULL));
    world_frames(sim, 50);
    double force = 0;
    for (int f = 0; f < 20; f++) {
        firn_body_load load;
        world_frames(sim, 1);
        assert_int_equal(firn_sim_body_load(sim, world_id(sim, 1), NULL, &load), FIRN_OK);
        force += load.force[1] / 20;
    }
    assert_near(force / (9.81 * 0.5), 1, 0.05);
    firn_sim_destroy(sim);
    firn_scene_destroy(prefabs);
}

// The same prefab twice makes no second shape.
static void shares_shapes(void** state)
{
    (void)state;
    firn_scene* prefabs = make_prefabs();
    firn_collider_def def = ball_def(prefabs, 0);
    firn_shape_id both, plane = plane_def(prefabs).shape;
    assert_int_equal(firn_scene_union(prefabs, def.shape, plane, &both), FIRN_OK);
    def.shape = both;
    firn_sim* sim = world_start("mpm", "");
    const firn_local none = sim->scene.shapes.node_count;
    WORLD_MUST(sim, firn_sim_add_collider(sim, prefabs, &def, NULL, NULL));
    assert_int_equal(sim->scene.shapes.node_count, none + 3);
    WORLD_MUST(sim, firn_sim_add_collider(sim, prefabs, &def, NULL, NULL));
    assert_int_equal(sim->scene.shapes.node_count, none + 3);
    firn_scene_destroy(prefabs);
    world_frames(sim, 1);
    firn_sim_destroy(sim);
}

// Memory that runs out at any allocation refuses the call and changes nothing, or breaks nothing
// but the simulation.
static void out_of_memory(void** state)
{
    (void)state;
    firn_scene* prefabs = make_prefabs();
    const firn_collider_def ball = ball_def(prefabs, 1);
    bool done = false;
    for (int64_t k = 0; k < 60 && !done; k++) {
        firn_sim* sim = world_start("grains", far_floor);
        const uint64_t hash = firn_sim_hash(sim);
        firn_memory_fail_at((uint64_t)k + 1, true);
        const firn_result r = firn_sim_add_collider(sim, prefabs, &ball, NULL, NULL);
        firn_memory_fail_at(0, false);
        assert_equal(firn_sim_hash(sim), hash);
        if (r == FIRN_REFUSED_ARGUMENT) {
            assert_contains(firn_sim_error(sim), "memory");
            assert_int_equal(firn_sim_body_count(sim), 1);
            world_frames(sim, 1);
        }
        done = r == FIRN_OK;
        firn_sim_destroy(sim);
    }
    assert_true(done);
    firn_scene_destroy(prefabs);
}

#define REFUSED(call, code, part)                   \
    do {                                            \
        assert_int_equal(call, code);               \
        assert_contains(firn_sim_error(sim), part); \
    } while (0)

static void refused_mass(void** state)
{
    (void)state;
    firn_scene* prefabs = make_prefabs();
    const firn_collider_def ball = ball_def(prefabs, 1);
    firn_sim* sim = world_start("ballistic", far_floor);
    firn_collider_id id;
    REFUSED(firn_sim_add_collider(sim, prefabs, &ball, NULL, &id), FIRN_REFUSED_NAME,
            "remove `mass` or use mpm or sph or grains");
    firn_sim_destroy(sim);
    firn_scene_destroy(prefabs);
}

static void refused(void** state)
{
    (void)state;
    firn_scene* prefabs = make_prefabs();
    const firn_collider_def plane = plane_def(prefabs);
    firn_sim* sim = world_start("sph", far_floor);
    const uint64_t hash = firn_sim_hash(sim);
    firn_collider_id id = {77, 0};
    REFUSED(firn_sim_add_collider(sim, NULL, &plane, NULL, &id), FIRN_REFUSED_ARGUMENT, "a scene");
    REFUSED(firn_sim_add_collider(sim, prefabs, NULL, NULL, &id), FIRN_REFUSED_ARGUMENT, "def");
    assert_int_equal(firn_sim_add_collider(NULL, prefabs, &plane, NULL, &id),
                     FIRN_REFUSED_ARGUMENT);
    firn_collider_def bad = plane;
    bad.shape.slot1 = 99;
    REFUSED(firn_sim_add_collider(sim, prefabs, &bad, NULL, &id), FIRN_REFUSED_ARGUMENT, "shape");
    bad = plane;
    bad.friction = -1;
    REFUSED(firn_sim_add_collider(sim, prefabs, &bad, NULL, &id), FIRN_REFUSED_ARGUMENT,
            "friction");
    bad = plane;
    bad.temperature = -3;
    REFUSED(firn_sim_add_collider(sim, prefabs, &bad, NULL, &id), FIRN_REFUSED_ARGUMENT,
            "air: {temperature: -5}");
    firn_body_pose pose = pose_at(0, 0, 0);
    pose.scale = 0;
    assert_int_equal(firn_sim_add_collider(sim, prefabs, &plane, &pose, &id),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(id.slot1, 77);
    assert_int_equal(firn_sim_body_count(sim), 1);
    REFUSED(firn_sim_remove_collider(sim, (firn_collider_id){0}), FIRN_REFUSED_ARGUMENT, "null");
    firn_collider_id other = world_id(sim, 0);
    other.slot1 = 2;
    REFUSED(firn_sim_remove_collider(sim, other), FIRN_REFUSED_ARGUMENT, "no collider 1");
    other = (firn_collider_id){1, other.owner + 1};
    REFUSED(firn_sim_remove_collider(sim, other), FIRN_REFUSED_ARGUMENT, "another scene");
    assert_int_equal(firn_sim_remove_collider(NULL, other), FIRN_REFUSED_ARGUMENT);
    assert_equal(firn_sim_hash(sim), hash);
    world_frames(sim, 1);
    firn_sim_destroy(sim);
    firn_scene* scene = world_scene("mpm", far_floor);
    firn_sim_def def = firn_default_sim_def();
    def.output_dir = FIRN_TEST_TMP "/disk";
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    REFUSED(firn_sim_add_collider(sim, prefabs, &plane, NULL, &id), FIRN_REFUSED_ARGUMENT,
            "output_dir");
    REFUSED(firn_sim_remove_collider(sim, world_id(sim, 0)), FIRN_REFUSED_ARGUMENT, "output_dir");
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    firn_scene_destroy(prefabs);
}

int test_world_colliders(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_scene),  cmocka_unit_test(catches),
        cmocka_unit_test(lets_fall),     cmocka_unit_test(dynamic),
        cmocka_unit_test(rests_on_snow), cmocka_unit_test(shares_shapes),
        cmocka_unit_test(out_of_memory), cmocka_unit_test(refused),
        cmocka_unit_test(refused_mass)};
    return cmocka_run_group_tests_name("world_colliders", tests, NULL, NULL);
}
