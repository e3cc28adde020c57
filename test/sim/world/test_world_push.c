// SPDX-License-Identifier: MIT
// Impulses and torques on dynamic colliders: p = m v and L = I omega to rounding.
#include "world_fixture.h"

// A box of 12 kg and 0.2 x 0.4 x 0.6 m whose centre is not the origin of its shape; no gravity, no
// snow near.
static const char text[] = "gravity: [0, 0, 0]\ncolliders:\n"
                           "  - shape: {plane: {point: [0, -9, 0], normal: [0, 1, 0]}}\n"
                           "  - shape: {box: {center: [0.1, 0.2, 0], size: [0.2, 0.4, 0.6]}}\n"
                           "    position: [3, 2, 1]\n    mass: 12\n";
static const double center[3] = {3.1, 2.2, 1};

static firn_body_info box(const firn_sim* sim)
{
    firn_body_info info;
    assert_int_equal(firn_sim_body(sim, world_id(sim, 1), &info), FIRN_OK);
    return info;
}

// Velocity of the centre of mass, from that of the pose's position.
static void velocity(const firn_body_info* b, double out[3])
{
    const double w[3] = {(double)b->pose.spin.x, (double)b->pose.spin.y, (double)b->pose.spin.z};
    const double r[3] = {0.1, 0.2, 0};  // before it has turned
    out[0] = (double)b->pose.velocity.x + w[1] * r[2] - w[2] * r[1];
    out[1] = (double)b->pose.velocity.y + w[2] * r[0] - w[0] * r[2];
    out[2] = (double)b->pose.velocity.z + w[0] * r[1] - w[1] * r[0];
}

#define ERROR (20 * (double)FIRN_REAL_EPSILON)

static void impulse(void** state)
{
    (void)state;
    firn_sim* sim = world_start("grains", text);
    const firn_collider_id id = world_id(sim, 1);
    WORLD_MUST(sim, firn_sim_body_impulse(sim, id, firn_v3(6, -3, 24), NULL));
    firn_body_info b = box(sim);
    double v[3];
    velocity(&b, v);
    assert_near(v[0], 0.5, ERROR);
    assert_near(v[1], -0.25, ERROR);
    assert_near(v[2], 2, ERROR);
    assert_near(firn_v3_length(b.pose.spin), 0, ERROR);
    world_frames(sim, 10);  // it is a motion, not a jump
    b = box(sim);
    assert_near(b.pose.position.x, 3 + 0.5 * 0.1, 1e-5);
    assert_near(b.pose.velocity.z, 2, ERROR);
    WORLD_MUST(sim, firn_sim_body_impulse(sim, id, firn_v3(-6, 3, -24), NULL));
    b = box(sim);
    assert_near(firn_v3_length(b.pose.velocity), 0, 4 * ERROR);
    firn_sim_destroy(sim);
}

// Moments of inertia of a box about its centre: m (b^2 + c^2) / 12; firn finds them from the level
// set to 1 %.
static void torque(void** state)
{
    (void)state;
    firn_sim* sim = world_start("grains", text);
    const firn_collider_id id = world_id(sim, 1);
    const double I[3] = {12 * (0.16 + 0.36) / 12, 12 * (0.04 + 0.36) / 12, 12 * (0.04 + 0.16) / 12};
    const firn_vec3 L = firn_v3((firn_real)0.13, (firn_real)-0.2, (firn_real)0.05);
    WORLD_MUST(sim, firn_sim_body_torque(sim, id, L));
    firn_body_info b = box(sim);
    double v[3];
    velocity(&b, v);
    for (int d = 0; d < 3; d++) assert_near(v[d], 0, ERROR);  // the centre stays
    assert_near(b.pose.spin.x, 0.13 / I[0], 0.01 * 0.13 / I[0]);
    assert_near(b.pose.spin.y, -0.2 / I[1], 0.01 * 0.2 / I[1]);
    assert_near(b.pose.spin.z, 0.05 / I[2], 0.01 * 0.05 / I[2]);
    const firn_vec3 spin = b.pose.spin;
    WORLD_MUST(sim, firn_sim_body_torque(sim, id, firn_v3_scale(L, -1)));
    assert_near(firn_v3_length(box(sim).pose.spin), 0, ERROR);
    // an impulse J at a point r from the centre is J and the angular impulse r x J, to rounding
    const firn_vec3 point =
        firn_v3((firn_real)(center[0] + 0.1), (firn_real)center[1], (firn_real)(center[2] + 0.2));
    const firn_vec3 J = firn_v3(2, 1, (firn_real)-0.5);  // r x J = (-0.2, 0.45, 0.1)
    WORLD_MUST(sim, firn_sim_body_impulse(sim, id, J, &point));
    const firn_body_info pushed = box(sim);
    velocity(&pushed, v);
    assert_near(v[0], 2.0 / 12, ERROR);
    assert_near(v[1], 1.0 / 12, ERROR);
    assert_near(v[2], -0.5 / 12, ERROR);
    assert_near(pushed.pose.spin.x / spin.x, -0.2 / 0.13, 50 * ERROR);
    assert_near(pushed.pose.spin.y / spin.y, 0.45 / -0.2, 50 * ERROR);
    assert_near(pushed.pose.spin.z / spin.z, 0.1 / 0.05, 50 * ERROR);
    firn_sim_destroy(sim);
}

#define REFUSED(call, part)                            \
    do {                                               \
        assert_int_equal(call, FIRN_REFUSED_ARGUMENT); \
        assert_contains(firn_sim_error(sim), part);    \
    } while (0)

static void refused(void** state)
{
    (void)state;
    const firn_vec3 J = firn_v3(1, 0, 0), nan = firn_v3(0, (firn_real)NAN, 0);
    firn_sim* sim = world_start("grains", text);
    const firn_collider_id id = world_id(sim, 1);
    REFUSED(firn_sim_body_impulse(sim, world_id(sim, 0), J, NULL), "it has no mass");
    firn_collider_id other = id;
    other.slot1 = 3;
    REFUSED(firn_sim_body_torque(sim, other, J), "no collider 2");
    REFUSED(firn_sim_body_torque(sim, id, nan), "not finite");
    REFUSED(firn_sim_body_impulse(sim, id, J, &nan), "not finite");
    const firn_body_pose pose = {.position = {3, 2, 1}, .rotation = {1, 0, 0, 0}, .scale = 1};
    assert_int_equal(firn_sim_body_move(sim, world_id(sim, 1), &pose), FIRN_OK);
    REFUSED(firn_sim_body_impulse(sim, id, J, NULL), "firn_sim_body_release");
    assert_int_equal(firn_sim_body_release(sim, world_id(sim, 1)), FIRN_OK);
    WORLD_MUST(sim, firn_sim_body_impulse(sim, id, J, NULL));
    assert_near(box(sim).pose.velocity.x, 1.0 / 12, ERROR);
    WORLD_MUST(sim, firn_sim_remove_collider(sim, id));
    REFUSED(firn_sim_body_impulse(sim, id, J, NULL), "was removed");
    assert_int_equal(firn_sim_body_impulse(NULL, id, J, NULL), FIRN_REFUSED_ARGUMENT);
    firn_sim_destroy(sim);
    sim = world_start("ballistic",
                      "colliders:\n  - shape: {sphere: {center: [9, 0, 0], radius: 1}}\n");
    REFUSED(firn_sim_body_torque(sim, world_id(sim, 0), J), "use mpm or sph or grains");
    firn_sim_destroy(sim);
}

int test_world_push(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(impulse), cmocka_unit_test(torque),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("world_push", tests, NULL, NULL);
}
