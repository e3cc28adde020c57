// SPDX-License-Identifier: MIT
// Bodies on a slope: Coulomb's angle, the acceleration beyond it, rolling. VALIDATION T58.
#include "bodies/stage.h"

#define G 9.81
#define MU 0.5

// Velocity down the slope after a second of a box at `degrees`.
static double slide(double degrees)
{
    const double a = degrees * PI / 180;
    stage* s = stage_create();
    s->colliders[stage_slope(s, a)].friction = (firn_real)MU;
    const firn_local c =
        stage_add(s, stage_box(0.2, 0.1, 0.2), to_v3(sin(a) * 0.05, cos(a) * 0.05, 0),
                  firn_q_from_vector(to_v3(0, 0, -a)));
    s->colliders[c].friction = (firn_real)MU;
    stage_weigh(s, c, 2, to_v3(0, 0, 0), to_v3(0, 0, 0));
    stage_start(s);
    for (int k = 0; k < 1000; k++) stage_step(s, 1e-3);
    const firn_vec3 v = stage_rigid(s, c)->velocity;
    stage_destroy(s);
    return (double)v.x * cos(a) - (double)v.y * sin(a);
}

// Between two angles 0.05 degrees apart it stands, and it slides.
static void slips_at_the_angle_of_friction(void** state)
{
    (void)state;
    double low = 25, high = 28;
    while (high - low > 0.05) {
        const double middle = (low + high) / 2;
        if (slide(middle) > 1e-3)
            high = middle;
        else
            low = middle;
    }
    check_figure(T58_slip_angle, (low + high) / 2);
}

static void slides(void** state)
{
    (void)state;
    double worst = 0;
    for (int degrees = 30; degrees <= 60; degrees += 15) {
        const double a = degrees * PI / 180, expected = G * (sin(a) - MU * cos(a));
        worst = fmax(worst, fabs(slide(degrees) / expected - 1));
    }
    check_figure(T58_slide, worst);
}

// Velocity after a second over that of a point mass without friction.
static double roll(firn_shape_node node, double degrees)
{
    const double a = degrees * PI / 180, r = 0.1;
    stage* s = stage_create();
    stage_slope(s, a);
    const firn_local c = stage_body(s, node, to_v3(sin(a) * r, cos(a) * r, 0), 3);
    stage_start(s);
    for (int k = 0; k < 1000; k++) stage_step(s, 1e-3);
    const firn_rigid* body = stage_rigid(s, c);
    const double v = (double)body->velocity.x * cos(a) - (double)body->velocity.y * sin(a);
    assert_near(-(double)body->spin.z * r, v, 1e-3 * v);  // it does not slip
    stage_destroy(s);
    return v / (G * sin(a));
}

static void rolls(void** state)
{
    (void)state;
    const firn_real r = (firn_real)0.1, l = (firn_real)0.15;
    const firn_shape_node ball = {.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, r}};
    const firn_shape_node drum = {.kind = FIRN_SHAPE_CYLINDER, .p = {0, 0, -l, 0, 0, l, r, 0}};
    for (int degrees = 10; degrees <= 30; degrees += 20) {
        check_figure(T58_roll_sphere, roll(ball, degrees));
        check_figure(T58_roll_cylinder, roll(drum, degrees));
    }
}

// A ball of restitution 1/2 comes back to a quarter of its height; one without stays.
static void bounces(void** state)
{
    (void)state;
    for (int e = 0; e < 2; e++) {
        stage* s = stage_create();
        s->colliders[stage_slope(s, 0)].restitution = (firn_real)(0.5 * e);
        const firn_shape_node ball = {.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, (firn_real)0.1}};
        const firn_local c = stage_body(s, ball, to_v3(0, 1.1, 0), 1);
        stage_start(s);
        double highest = 0;
        for (int k = 0; k < 900; k++) {
            stage_step(s, 1e-3);
            // falls for 0.45 s
            if (k > 460) highest = fmax(highest, (double)stage_rigid(s, c)->position.y - 0.1);
        }
        assert_near(highest, e == 1 ? 0.25 : 0, 0.01);
        stage_destroy(s);
    }
}

// A conveyor carries a box along; a sticky one holds it on any slope.
static void is_carried(void** state)
{
    (void)state;
    stage* s = stage_create();
    const firn_local belt = stage_slope(s, 0);
    s->colliders[belt].motion.velocity = to_v3(1, 0, 0);
    const firn_local c = stage_body(s, stage_box(0.1, 0.1, 0.1), to_v3(0, 0.05, 0), 1);
    stage_start(s);
    for (int k = 0; k < 500; k++) stage_step(s, 1e-3);
    assert_near(stage_rigid(s, c)->velocity.x, 1, 1e-3);
    stage_destroy(s);
    s = stage_create();
    s->colliders[stage_slope(s, PI / 3)].sticky = true;
    const firn_shape_node ball = {.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, (firn_real)0.1}};
    const firn_local b = stage_body(s, ball, to_v3(sin(PI / 3) * 0.1, cos(PI / 3) * 0.1, 0), 1);
    stage_start(s);
    for (int k = 0; k < 200; k++) stage_step(s, 1e-3);
    assert_near(-(double)stage_rigid(s, b)->spin.z * 0.1,
                firn_v3_length(stage_rigid(s, b)->velocity), 1e-3);
    stage_destroy(s);
}

int test_bodies_slope(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slips_at_the_angle_of_friction),
                                       cmocka_unit_test(slides), cmocka_unit_test(rolls),
                                       cmocka_unit_test(bounces), cmocka_unit_test(is_carried)};
    return cmocka_run_group_tests_name("bodies_slope", tests, NULL, NULL);
}
