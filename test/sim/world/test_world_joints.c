// SPDX-License-Identifier: MIT
// Joints come and go while a simulation runs, and are part of its state.
#include "world_fixture.h"

// Two boxes of 2 kg side by side, high above the floor.
static const char text[] = "gravity: [0, -9.81, 0]\ncolliders:\n"
                           "  - shape: {plane: {point: [0, -9, 0], normal: [0, 1, 0]}}\n"
                           "  - shape: {box: {center: [0, 0, 0], size: [0.2, 0.2, 0.2]}}\n"
                           "    position: [0, 5, 0]\n    mass: 2\n"
                           "  - shape: {box: {center: [0, 0, 0], size: [0.2, 0.2, 0.2]}}\n"
                           "    position: [0.5, 5, 0]\n    mass: 2\n";

static double height(const firn_sim* sim, int index)
{
    firn_body_info info;
    assert_int_equal(firn_sim_body(sim, world_id(sim, index), &info), FIRN_OK);
    return (double)info.pose.position.y;
}

static firn_joint_def fixed(const firn_sim* sim, int a, double x)
{
    firn_joint_def def = firn_default_joint_def();
    def.kind = FIRN_JOINT_FIXED;
    def.a = world_id(sim, a);
    def.point = firn_v3((firn_real)x, 5, 0);
    return def;
}

static void holds_until_removed(void** state)
{
    (void)state;
    firn_sim* sim = world_start("grains", text);
    firn_joint_def def = fixed(sim, 1, 0);
    firn_joint_id wall, beam;
    WORLD_MUST(sim, firn_sim_add_joint(sim, &def, &wall));
    def = fixed(sim, 2, 0.25);
    def.b = world_id(sim, 1);
    WORLD_MUST(sim, firn_sim_add_joint(sim, &def, &beam));
    world_frames(sim, 20);
    assert_near(height(sim, 1), 5, 1e-4);
    assert_near(height(sim, 2), 5, 1e-4);
    firn_joint_info info;
    WORLD_MUST(sim, firn_sim_joint(sim, wall, &info));
    assert_near(info.force[1], 4 * 9.81, 0.1);
    WORLD_MUST(sim, firn_sim_joint(sim, beam, &info));
    assert_near(info.force[1], 2 * 9.81, 0.1);
    assert_false(info.broken || info.removed);
    WORLD_MUST(sim, firn_sim_remove_joint(sim, beam));
    WORLD_MUST(sim, firn_sim_joint(sim, beam, &info));
    assert_true(info.removed);
    assert_int_equal(firn_sim_remove_joint(sim, beam), FIRN_REFUSED_ARGUMENT);
    world_frames(sim, 20);
    assert_near(height(sim, 1), 5, 1e-4);
    assert_less(height(sim, 2), 4.9);
    firn_sim_destroy(sim);
}

static void refused(void** state)
{
    (void)state;
    firn_sim* sim = world_start("grains", text);
    firn_joint_def def = fixed(sim, 0, 0);  // the floor has no mass
    assert_int_equal(firn_sim_add_joint(sim, &def, NULL), FIRN_REFUSED_ARGUMENT);
    def = fixed(sim, 1, 0);
    def.b = def.a;
    assert_int_equal(firn_sim_add_joint(sim, &def, NULL), FIRN_REFUSED_ARGUMENT);
    def = fixed(sim, 1, 0);
    def.break_force = 0;
    assert_int_equal(firn_sim_add_joint(sim, &def, NULL), FIRN_REFUSED_ARGUMENT);
    def = fixed(sim, 1, 0);
    WORLD_MUST(sim, firn_sim_remove_collider(sim, def.a));
    assert_int_equal(firn_sim_add_joint(sim, &def, NULL), FIRN_REFUSED_ARGUMENT);
    firn_sim_destroy(sim);
}

// A box that is removed takes its joints with it, and a new one can be held.
static void colliders_come_and_go(void** state)
{
    (void)state;
    firn_sim* sim = world_start("grains", text);
    firn_joint_def def = fixed(sim, 1, 0.25);
    def.b = world_id(sim, 2);
    WORLD_MUST(sim, firn_sim_add_joint(sim, &def, NULL));
    def = fixed(sim, 2, 0.5);
    WORLD_MUST(sim, firn_sim_add_joint(sim, &def, NULL));
    world_frames(sim, 5);
    assert_near(height(sim, 1), 5, 1e-4);
    WORLD_MUST(sim, firn_sim_remove_collider(sim, world_id(sim, 2)));
    world_frames(sim, 20);
    assert_less(height(sim, 1), 4.9);
    firn_sim_destroy(sim);
}

int test_world_joints(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_until_removed),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(colliders_come_and_go)};
    return cmocka_run_group_tests_name("world_joints", tests, NULL, NULL);
}
