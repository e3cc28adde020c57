// SPDX-License-Identifier: MIT
// Colliders and emitters that come and go are part of saved states.
#include "world_state_cases.h"

static firn_body_info body(const firn_sim* sim, int index)
{
    firn_body_info info;
    assert_int_equal(firn_sim_body(sim, world_id(sim, index), &info), FIRN_OK);
    return info;
}

static void assert_same_pose(firn_body_info a, firn_body_info b)
{
    assert_memory_equal(&a.pose, &b.pose, sizeof a.pose);
}

// Two balls with masses; the second one comes after the first state.
static void dynamic(void** state)
{
    (void)state;
    firn_sim* sim = world_start("grains", "colliders:\n"
                                          "  - shape: {sphere: {center: [0, 0, 0], radius: 0.1}}\n"
                                          "    position: [2, 0, 0]\n    mass: 3\n");
    firn_scene* prefabs;
    assert_int_equal(firn_scene_create(&prefabs), FIRN_OK);
    firn_collider_def ball = firn_default_collider_def();
    assert_int_equal(firn_scene_sphere(prefabs, firn_v3(-2, 0, 0), (firn_real)0.2, &ball.shape),
                     FIRN_OK);
    ball.mass = 2;
    world_frames(sim, 3);
    saved before = save(sim);
    const firn_body_info first = body(sim, 0);
    firn_collider_id id;
    WORLD_MUST(sim, firn_sim_add_collider(sim, prefabs, &ball, NULL, &id));
    WORLD_MUST(sim, firn_sim_body_impulse(sim, id, firn_v3(8, 0, 0), NULL));
    world_frames(sim, 3);
    saved after = save(sim);
    const firn_body_info second = body(sim, 1);
    assert_near(second.pose.velocity.x, 4, 1e-5);
    world_frames(sim, 2);
    const firn_body_info later = body(sim, 1);
    back_to(sim, &before);
    assert_same_pose(body(sim, 0), first);
    assert_true(body(sim, 1).removed);
    world_frames(sim, 4);
    back_to(sim, &after);
    assert_false(body(sim, 1).removed);
    assert_same_pose(body(sim, 1), second);
    world_frames(sim, 2);
    assert_same_pose(body(sim, 1), later);
    free(before.block);
    free(after.block);
    firn_sim_destroy(sim);
    firn_scene_destroy(prefabs);
}

static void emitters(void** state)
{
    (void)state;
    firn_sim* sim = world_start("sph", "");
    firn_scene* prefabs;
    assert_int_equal(firn_scene_create(&prefabs), FIRN_OK);
    firn_emitter_def def = firn_default_emitter_def();
    assert_int_equal(firn_scene_box(prefabs, firn_v3(0, 3, 0), firn_v3(1, 1, 1), 0, &def.shape),
                     FIRN_OK);
    def.rate = 1005;
    const int64_t block = firn_sim_read(sim).particle_count;
    world_frames(sim, 1);
    saved before = save(sim);
    firn_emitter_id id;
    WORLD_MUST(sim, firn_sim_add_emitter(sim, prefabs, &def, &id));
    world_frames(sim, 2);
    saved during = save(sim);
    WORLD_MUST(sim, firn_sim_remove_emitter(sim, id));
    world_frames(sim, 2);
    const uint64_t stopped = firn_sim_hash(sim);
    assert_equal(firn_sim_read(sim).particle_count, block + 20);
    WORLD_MUST(sim, firn_sim_restore(sim, before.block, before.size));
    world_frames(sim, 3);
    assert_equal(firn_sim_read(sim).particle_count, block);
    assert_int_equal(firn_sim_remove_emitter(sim, id), FIRN_REFUSED_ARGUMENT);
    back_to(sim, &during);
    WORLD_MUST(sim, firn_sim_remove_emitter(sim, id));
    world_frames(sim, 2);
    assert_equal(firn_sim_hash(sim), stopped);
    free(before.block);
    free(during.block);
    firn_sim_destroy(sim);
    firn_scene_destroy(prefabs);
}

int test_world_state(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(before_and_after),
                                       cmocka_unit_test(brings_back), cmocka_unit_test(dynamic),
                                       cmocka_unit_test(emitters)};
    return cmocka_run_group_tests_name("world_state", tests, NULL, NULL);
}
