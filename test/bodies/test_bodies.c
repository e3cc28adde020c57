// SPDX-License-Identifier: MIT
// The interface of the engine: predictions, pushes, the caller's own motion, what comes and goes;
// contacts of level sets and booleans; no allocation in a step.
#include "bodies/bodies.h"

#include "bodies/stage.h"
#include "geometry/level_set_ball.h"

#define R 0.1  // [m]

static firn_shape_node small_ball(void)
{
    return (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, (firn_real)R}};
}

// A ball at rest: predicted to stay, also when snow presses on it, and to rise when it lifts it
// with twice its weight; the step does as predicted.
static void predicts(void** state)
{
    (void)state;
    stage* s = stage_create();
    stage_slope(s, 0);
    const firn_local c = stage_body(s, small_ball(), to_v3(0, R, 0), 2);
    stage_start(s);
    for (int k = 0; k < 100; k++) stage_step(s, 1e-3);
    const double weight = 2 * 9.81 * 1e-3, none[3] = {0, 0, 0};
    const double pushes[] = {0, -3 * weight, 2 * weight};
    for (int k = 0; k < 3; k++) {
        const double push[3] = {0, pushes[k], 0};
        firn_vec3 v, spin;
        stage_begin(s, 1e-3);
        firn_bodies_push(s->bodies, 0, push, none);
        for (int sweep = 0; sweep < 5; sweep++) firn_bodies_sweep(s->bodies);
        firn_bodies_velocity(s->bodies, 0, &v, &spin);
        firn_bodies_finish(s->bodies, s->colliders);
        s->time += 1e-3;
        const double expected = k == 2 ? 9.81e-3 : 0;
        assert_near(v.y, expected, 1e-5);
        assert_near(stage_rigid(s, c)->velocity.y, expected, 1e-4);
    }
    stage_destroy(s);
}

static void pushed_and_moved(void** state)
{
    (void)state;
    stage* s = stage_create();
    s->gravity = to_v3(0, 0, 0);
    const firn_local a = stage_body(s, small_ball(), to_v3(0, 0, 0), 2);
    const firn_local b = stage_body(s, small_ball(), to_v3(0.5, 0, 0), 1);
    stage_start(s);
    stage_step(s, 1e-3);
    firn_bodies_impulse(s->bodies, s->colliders, 0, to_v3(4, 0, 0), NULL, to_v3(0, 0, 0.008));
    assert_near(stage_rigid(s, a)->velocity.x, 2, 1e-6);
    assert_near(stage_rigid(s, a)->spin.z, 1, 1e-5);  // 2/5 m r^2
    for (int k = 0; k < 100; k++) stage_step(s, 1e-3);
    // the caller drives a into b, which is pushed along
    firn_motion state_a = firn_collider_state(&s->colliders[a], s->time);
    state_a.velocity = to_v3(3, 0, 0);
    state_a.spin = to_v3(0, 0, 0);
    assert_int_equal(
        firn_collider_drive(&s->colliders[a], FIRN_MOVED_BY_CALLER, &state_a, s->time, &s->error),
        FIRN_OK);
    for (int k = 0; k < 200; k++) stage_step(s, 1e-3);
    assert_false(firn_bodies_is_free(s->bodies, 0));
    assert_near(stage_rigid(s, b)->velocity.x, 3, 0.01);
    firn_collider_release(&s->colliders[a], s->time);
    stage_step(s, 1e-3);
    assert_true(firn_bodies_is_free(s->bodies, 0));
    assert_near(stage_rigid(s, a)->velocity.x, 3, 0.01);
    stage_destroy(s);
}

// A body that is added while others move, and one that is taken away.
static void comes_and_goes(void** state)
{
    (void)state;
    stage* s = stage_create();
    stage_slope(s, 0);
    const firn_local low = stage_body(s, stage_box(0.2, 0.2, 0.2), to_v3(0, 0.1, 0), 1);
    stage_start(s);
    for (int k = 0; k < 50; k++) stage_step(s, 1e-3);
    const firn_local high = stage_body(s, stage_box(0.2, 0.2, 0.2), to_v3(0, 0.31, 0), 1);
    assert_int_equal(firn_bodies_add(s->bodies, &s->colliders[high], high, &s->shapes, &s->error),
                     FIRN_OK);
    for (int k = 0; k < 500; k++) stage_step(s, 1e-3);
    assert_near(stage_rigid(s, high)->position.y, 0.3, 1e-3);
    s->colliders[low].removed = true;
    for (int k = 0; k < 500; k++) stage_step(s, 1e-3);
    assert_near(stage_rigid(s, high)->position.y, 0.1, 1e-3);
    stage_destroy(s);
}

// The level set of a ball with voxels of a tenth of its radius rolls as one, within 2 %; a bowl
// that is cut out of a box holds a ball.
static void other_shapes(void** state)
{
    (void)state;
    stage* s = stage_create();
    const double a = 0.2, own[4] = {0, 0, 0, R};
    stage_slope(s, a);
    const firn_level_set* set = build_ball(own, R / 10);
    firn_collider* c = &s->colliders[s->count];
    *c = (firn_collider){.friction = (firn_real)0.5, .motion = firn_motion_at_rest()};
    assert_int_equal(firn_shapes_add_level_set(&s->shapes, set, &c->shape, &s->error), FIRN_OK);
    firn_level_set_release(set);
    c->motion.position = to_v3(sin(a) * R, cos(a) * R, 0);
    const firn_local rolls = stage_weigh(s, s->count++, 1, to_v3(0, 0, 0), to_v3(0, 0, 0));
    stage_start(s);
    for (int k = 0; k < 1000; k++) stage_step(s, 1e-3);
    const double v = (double)firn_v3_length(stage_rigid(s, rolls)->velocity);
    print_message("level set: %.4f g sin\n", v / (9.81 * sin(a)));
    assert_near(v / (9.81 * sin(a)), 5.0 / 7, 0.02);
    stage_destroy(s);

    s = stage_create();
    const firn_local box = gallery_add(&s->shapes, stage_box(0.6, 0.4, 0.6));
    const firn_local hole =
        gallery_add(&s->shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE,
                                                  .p = {0, (firn_real)0.25, 0, (firn_real)0.25}});
    stage_add(s, (firn_shape_node){.kind = FIRN_SHAPE_DIFFERENCE, .a = box, .b = hole},
              to_v3(0, 0, 0), firn_q_identity());
    const firn_local ball_in = stage_body(s, small_ball(), to_v3(0.1, 0.25, 0), 1);
    stage_start(s);
    for (int k = 0; k < 3000; k++) stage_step(s, 1e-3);
    // rolls to and fro; its centre is on a sphere around that of the hole
    const firn_vec3 x = stage_rigid(s, ball_in)->position;
    assert_near(firn_v3_length(firn_v3_sub(x, to_v3(0, 0.25, 0))), 0.25 - R, 2e-3);
    stage_destroy(s);
}

static void no_allocation_in_a_step(void** state)
{
    (void)state;
    stage* s = stage_create();
    stage_slope(s, 0.1);
    for (int k = 0; k < 6; k++)
        stage_body(s, k % 2 == 0 ? small_ball() : stage_box(0.2, 0.1, 0.2),
                   to_v3(0.02 * k, 0.1 + 0.22 * k, 0), 1);
    stage_start_plain(s);
    const uint64_t before = firn_memory_read().allocations;
    for (int k = 0; k < 1000; k++) stage_step(s, 1e-3);
    assert_int_equal(firn_memory_read().allocations, before);
    stage_destroy(s);
}

int test_bodies(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicts), cmocka_unit_test(pushed_and_moved),
        cmocka_unit_test(comes_and_goes), cmocka_unit_test(other_shapes),
        cmocka_unit_test(no_allocation_in_a_step)};
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
