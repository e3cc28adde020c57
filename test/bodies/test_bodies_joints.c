// SPDX-License-Identifier: MIT
// Joints: pendulums against their periods, limits, breaking, moving supports. VALIDATION T58.
#include "bodies/stage.h"

#define G 9.81
#define ANGLE 0.2  // [rad] amplitude

static firn_joint* add_joint(stage* s, firn_joint_kind kind, firn_local a, firn_local b,
                             firn_vec3 point)
{
    firn_joint* j = &s->joints[s->joint_count++];
    *j = firn_joint_of_kind(kind);
    j->a = a;
    j->b = b;
    j->point_a = point;
    return j;
}

static firn_shape_node ball(double radius)
{
    return (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, (firn_real)radius}};
}

// Period of a pendulum about the origin with squared radius of gyration k2, for its amplitude.
static double period_of(double length, double k2)
{
    const double a2 = ANGLE * ANGLE;
    return 2 * PI * sqrt((length * length + k2) / (G * length)) *
           (1 + a2 / 16 + 11 * a2 * a2 / 3072);
}

// Swings for 10 s: mean period, and the largest error of the distance from the origin.
static void swing(stage* s, firn_local c, double length, double* out_period, double* out_drift)
{
    double x = (double)stage_rigid(s, c)->position.x, first = 0, last = 0, drift = 0;
    int count = 0;
    for (int k = 1; k <= 10000; k++) {
        stage_step(s, 1e-3);
        const firn_vec3 now = stage_rigid(s, c)->position;
        if (x < 0 && now.x >= 0) {
            last = 1e-3 * (k - (double)now.x / ((double)now.x - x));
            if (count++ == 0) first = last;
        }
        x = (double)now.x;
        drift = fmax(drift, fabs((double)firn_v3_length(now) - length) / length);
        assert_near(now.z, 0, 1e-4 * length);
    }
    *out_period = (last - first) / (count - 1);
    *out_drift = drift;
}

static void pendulums(void** state)
{
    (void)state;
    const firn_joint_kind kinds[] = {FIRN_JOINT_HINGE, FIRN_JOINT_BALL, FIRN_JOINT_ROPE,
                                     FIRN_JOINT_ROD};
    const double length = 0.5, r = 0.05;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        stage* s = stage_create();
        const bool line = firn_joint_is_line(kinds[k]);
        const firn_vec3 x = to_v3(length * sin(ANGLE), -length * cos(ANGLE), 0);
        const firn_local c = stage_body(s, ball(r), x, 1);
        add_joint(s, kinds[k], c, -1, line ? x : to_v3(0, 0, 0));
        stage_start(s);
        double period, drift;
        swing(s, c, length, &period, &drift);
        check_figure(T58_pendulum_period, period / period_of(length, line ? 0 : 0.4 * r * r));
        check_figure(T58_joint_drift, drift);
        stage_destroy(s);
    }
}

// A door that hangs from its edge; its angle is that of the swing.
static void a_hinge(void** state)
{
    (void)state;
    stage* s = stage_create();
    const double length = 0.4, width = 0.8;
    const firn_local c = stage_add(s, stage_box(0.05, width, 0.5),
                                   to_v3(length * sin(ANGLE), -length * cos(ANGLE), 0),
                                   firn_q_from_vector(to_v3(0, 0, ANGLE)));
    stage_weigh(s, c, 7, to_v3(0, 0, 0), to_v3(0, 0, 0));
    add_joint(s, FIRN_JOINT_HINGE, c, -1, to_v3(0, 0, 0));
    stage_start(s);
    double period, drift;
    swing(s, c, length, &period, &drift);
    check_figure(T58_pendulum_period,
                 period / period_of(length, (width * width + 0.05 * 0.05) / 12));
    check_figure(T58_joint_drift, drift);
    const firn_vec3 x = stage_rigid(s, c)->position;
    const double angle = atan2((double)x.x, -(double)x.y) - ANGLE;
    assert_near(firn_bodies_joint_load(s->bodies, 0).angle, angle, 1e-4);
    stage_destroy(s);
}

// A lid falls to its limit and stays there.
static void limits(void** state)
{
    (void)state;
    stage* s = stage_create();
    const firn_local c = stage_body(s, stage_box(0.4, 0.02, 0.3), to_v3(0.2, 0, 0), 2);
    firn_joint* j = add_joint(s, FIRN_JOINT_HINGE, c, -1, to_v3(0, 0, 0));
    j->angle_low = (firn_real)-0.5;
    j->angle_high = (firn_real)0.1;
    stage_start(s);
    for (int k = 0; k < 2000; k++) stage_step(s, 1e-3);
    assert_near(firn_bodies_joint_load(s->bodies, 0).angle, -0.5, 1e-3);
    s->gravity = to_v3(0, G, 0);
    for (int k = 0; k < 2000; k++) stage_step(s, 1e-3);
    assert_near(firn_bodies_joint_load(s->bodies, 0).angle, 0.1, 1e-3);
    stage_destroy(s);
}

// A beam that is fixed at one end holds itself, with a force m g and a torque m g l / 2; one whose
// joint bears less breaks off.
static void a_beam_breaks(void** state)
{
    (void)state;
    for (int weak = 0; weak < 3; weak++) {
        stage* s = stage_create();
        const firn_local c = stage_body(s, stage_box(1, 0.1, 0.1), to_v3(0.5, 0, 0), 10);
        firn_joint* j = add_joint(s, FIRN_JOINT_FIXED, c, -1, to_v3(0, 0, 0));
        j->break_force = (firn_real)(weak == 1 ? 90 : 110);
        j->break_torque = (firn_real)(weak == 2 ? 45 : 60);
        stage_start(s);
        for (int k = 0; k < 500; k++) stage_step(s, 1e-3);
        const firn_joint_load load = firn_bodies_joint_load(s->bodies, 0);
        assert_equal(load.broken, weak > 0);
        if (weak == 0) {
            assert_near(load.force.y, 98.1, 0.1);
            assert_near(load.torque.z, 49.05, 0.1);
            assert_near(stage_rigid(s, c)->position.y, 0, 1e-4);
        } else {
            assert_less(stage_rigid(s, c)->position.y, (firn_real)-1);
        }
        stage_destroy(s);
    }
}

// A weight on a spring: T = 2 pi sqrt(m/k), about its rest at m g / k below.
static void a_spring(void** state)
{
    (void)state;
    stage* s = stage_create();
    const double k_s = 200, m = 2, rest = m * G / k_s;
    const firn_local c = stage_body(s, ball(0.05), to_v3(0, -1 - rest - 0.02, 0), m);
    firn_joint* j = add_joint(s, FIRN_JOINT_SPRING, c, -1, to_v3(0, -1 - rest - 0.02, 0));
    j->length = 1;
    j->stiffness = (firn_real)k_s;
    stage_start(s);
    double y = -1, first = 0, last = 0;
    int count = 0;
    for (int k = 1; k <= 5000; k++) {
        stage_step(s, 1e-3);
        const double now = (double)stage_rigid(s, c)->position.y + 1 + rest;
        if (y < 0 && now >= 0) {
            last = 1e-3 * (k - now / (now - y));
            if (count++ == 0) first = last;
        }
        y = now;
    }
    check_figure(T58_pendulum_period, (last - first) / (count - 1) / (2 * PI * sqrt(m / k_s)));
    stage_destroy(s);
}

// A sled drawn by a rope: slack at first, then at the velocity of what pulls it.
static void a_rope_pulls(void** state)
{
    (void)state;
    stage* s = stage_create();
    stage_slope(s, 0);
    const firn_local tow = stage_add(s, ball(0.05), to_v3(0.5, 0.2, 0), firn_q_identity());
    s->colliders[tow].motion.velocity = to_v3(1, 0, 0);
    const firn_local sled = stage_body(s, stage_box(0.4, 0.1, 0.2), to_v3(0, 0.05, 0), 5);
    firn_joint* j = add_joint(s, FIRN_JOINT_ROPE, sled, tow, to_v3(0.2, 0.05, 0));
    j->point_b = to_v3(0.5, 0.2, 0);
    j->length = 1;
    stage_start(s);
    for (int k = 0; k < 500; k++) stage_step(s, 1e-3);
    assert_near(stage_rigid(s, sled)->velocity.x, 0, 1e-4);
    for (int k = 0; k < 1500; k++) stage_step(s, 1e-3);
    assert_near(stage_rigid(s, sled)->velocity.x, 1, 0.01);
    stage_destroy(s);
}

// A chain of links between two walls: none of its joints opens. A link is released, and falls.
static void a_chain(void** state)
{
    (void)state;
    stage* s = stage_create();
    const int links = 8;
    for (int k = 0; k < links; k++) {
        const firn_local c =
            stage_body(s, stage_box(0.2, 0.04, 0.04), to_v3(0.2 * k + 0.1, 0, 0), 1);
        add_joint(s, FIRN_JOINT_BALL, c, c - 1, to_v3(0.2 * k, 0, 0));
    }
    add_joint(s, FIRN_JOINT_BALL, links - 1, -1, to_v3(0.2 * links, 0, 0));
    stage_start(s);
    double open = 0;
    for (int k = 0; k < 2000; k++) {
        stage_step(s, 1e-3);
        const firn_rigid* last = stage_rigid(s, links - 1);
        const firn_vec3 end =
            firn_v3_add(last->position, firn_q_rotate(last->rotation, to_v3(0.1, 0, 0)));
        open = fmax(open, fabs((double)end.x - 0.2 * links) + fabs((double)end.y));
    }
    check_figure(T58_joint_drift, open / (0.2 * links));
    firn_bodies_release(s->bodies, links, true);
    for (int k = 0; k < 500; k++) stage_step(s, 1e-3);
    assert_less(stage_rigid(s, links - 1)->position.y, (firn_real)-0.5);
    stage_destroy(s);
}

static void refused(void** state)
{
    (void)state;
    stage* s = stage_create();
    const firn_local c = stage_body(s, ball(0.1), to_v3(0, 0, 0), 1);
    const firn_local wall = stage_slope(s, 0);
    stage_start(s);
    firn_joint j = firn_joint_of_kind(FIRN_JOINT_BALL);
    const firn_local wrong[][2] = {{wall, c}, {c, c}, {-1, c}, {c, 2}, {c, -2}, {7, -1}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        j.a = wrong[k][0];
        j.b = wrong[k][1];
        assert_int_equal(firn_bodies_join(s->bodies, &j, s->colliders, 0, &s->error),
                         FIRN_REFUSED_ARGUMENT);
        assert_true(s->error.text[0] != 0);
    }
    j.a = c;
    j.b = wall;
    assert_int_equal(firn_bodies_join(s->bodies, &j, s->colliders, 0, &s->error), FIRN_OK);
    assert_int_equal(firn_bodies_joint_count(s->bodies), 1);
    stage_destroy(s);
}

int test_bodies_joints(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pendulums), cmocka_unit_test(a_hinge),
                                       cmocka_unit_test(limits),    cmocka_unit_test(a_beam_breaks),
                                       cmocka_unit_test(a_spring),  cmocka_unit_test(a_rope_pulls),
                                       cmocka_unit_test(a_chain),   cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("bodies_joints", tests, NULL, NULL);
}
