// SPDX-License-Identifier: MIT
// Bodies with a mass: what they push pushes them.
#include "bodies/bodies.h"
#include "solver/grains/world.h"

static void add_momentum(double sum[3], double m, firn_vec3 v)
{
    sum[0] += m * (double)v.x;
    sum[1] += m * (double)v.y;
    sum[2] += m * (double)v.z;
}

// Of snow and free bodies together [kg m/s]; *out_size: sum of m |v| of the grains.
static void momentum_of(const world* w, double out[3], double* out_size)
{
    out[0] = out[1] = out[2] = *out_size = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        add_momentum(out, (double)w->m->constants.mass, w->m->p.velocity[p]);
        *out_size += (double)w->m->constants.mass * (double)firn_v3_length(w->m->p.velocity[p]);
    }
    for (firn_local k = 0; k < firn_bodies_count(w->m->base.bodies); k++)
        add_momentum(out, (double)firn_bodies_rigid(w->m->base.bodies, k)->mass,
                     firn_bodies_rigid(w->m->base.bodies, k)->velocity);
}

// A lump flies into a ball in empty space, off its middle: momentum goes from one to the other, and
// none is lost, by push, friction and the damper; the ball is turned.
static void a_lump_hits_a_ball(void** state)
{
    (void)state;
    world* w = world_create();
    world_set_free(w, world_ball(w, 1, 0.25, 0.2, 0.3), 5);
    world_lattice(w, FIRN_SNOW, (const double[]){0, 0, 0}, (const int[]){6, 6, 6}, 0.1);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p].x = 3;
    world_start(w);
    double before[3], after[3], size, unused;
    momentum_of(w, before, &size);
    for (int k = 0; k < 400; k++) world_step(w, 1e-3);
    momentum_of(w, after, &unused);
    double worst = 0;
    for (int d = 0; d < 3; d++) worst = fmax(worst, fabs(after[d] - before[d]) / size);
    const firn_rigid* ball = firn_bodies_rigid(w->m->base.bodies, 0);
    print_message("ball: %.3f m/s, %.3f rad/s\n", (double)ball->velocity.x,
                  (double)firn_v3_length(ball->spin));
    check_figure(T42_body_momentum, worst);
    assert_greater(ball->velocity.x, (firn_real)0.3);
    assert_greater(firn_v3_length(ball->spin), (firn_real)0.01);
    world_destroy(w);
}

// A box of 0.4 m, its middle at (0.25, y, 0.25).
static firn_collider* box_at(world* w, double y)
{
    return world_body(w, &(firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                            .a = -1,
                                            .b = -1,
                                            .p = {(firn_real)0.25, (firn_real)y, (firn_real)0.25,
                                                  (firn_real)0.2, (firn_real)0.2, (firn_real)0.2},
                                            .q = firn_q_identity()});
}

// A weight comes to rest on a bed of snow, which it compresses; without snow on the floor itself.
static void a_weight_rests(void** state)
{
    (void)state;
    for (int bare = 0; bare < 2; bare++) {
        world* w = world_create();
        w->scene.gravity[1] = -9.82;
        world_floor(w, 0);
        world_set_free(w, box_at(w, bare ? 0.21 : 0.51), 5);
        world_lattice(w, FIRN_SNOW, (const double[]){bare ? 5 : 0, 0.05, 0}, (const int[]){6, 3, 6},
                      0.1);
        world_start(w);
        for (int k = 0; k < 3000; k++) world_step(w, 1e-3);
        const firn_rigid* box = firn_bodies_rigid(w->m->base.bodies, 0);
        double smallest = R_SNOW;
        for (firn_local p = 0; p < w->m->p.count; p++)
            smallest = fmin(smallest, (double)w->m->p.radius[p]);
        print_message("box at %.4f m, %.2g m/s; smallest grain %.4f m\n", (double)box->position.y,
                      (double)firn_v3_length(box->velocity), smallest);
        // at rest: a step of gravity is 0.01 m/s
        assert_less(firn_v3_length(box->velocity), 0.02);
        if (bare)
            assert_near(box->position.y, 0.2, 1e-3);  // contacts let it sink by less
        else {
            assert_greater(box->position.y, (firn_real)0.3);
            assert_less(box->position.y, (firn_real)0.5);
            assert_less(smallest, 0.98 * R_SNOW);
        }
        world_destroy(w);
    }
}

int test_grains_bodies(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_lump_hits_a_ball),
                                       cmocka_unit_test(a_weight_rests)};
    return cmocka_run_group_tests_name("grains_bodies", tests, NULL, NULL);
}
