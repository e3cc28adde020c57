// SPDX-License-Identifier: MIT
// Snow on a platform whose key frames move it: it moves along as on a rigid one, and a key frame
// that cannot be made stops a step before it has changed anything.
#include "geometry/formula_body.h"
#include "solver/mpm/world.h"

static const double h = 0.05;

static formula_body platform(void)
{
    return (formula_body){.center = {0, (firn_real)-0.2, 0},
                          .velocity = {(firn_real)0.3, 1, 0},
                          .half = {(firn_real)0.5, (firn_real)0.2, (firn_real)0.5},
                          .interval = 0.05,
                          .key_count = 9,
                          .voxel = (firn_real)0.05,
                          .band = (firn_real)0.3,
                          .bad_key = -1};
}

// A block of snow at rest on the platform's top, y = 0.
static world* create(void)
{
    world* w = world_create(h);
    w->scene.gravity[1] = -9.81;
    w->def.dt = 5e-4;
    world_lattice(w, (const double[3]){-3, 0, -3}, (const double[3]){6, 4, 6}, 2, 0);
    return w;
}

static firn_collider* add_body(world* w)
{
    firn_collider* body = &w->bodies[w->scene.collider_count++];
    *body = (firn_collider){.shape = -1, .motion = firn_motion_at_rest(), .sticky = true};
    return body;
}

typedef struct outcome {
    double place[3], velocity[3];  // of the snow's centre of mass [m], [m/s]
    double lowest;                 // [m]
} outcome;

static outcome run(world* w)
{
    world_start(w);
    while (w->time < 0.2 - 1e-9) world_step(w, 0.2 - w->time);
    outcome o = {.lowest = INFINITY};
    double mass = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 x = w->m->p.position[p], v = w->m->p.velocity[p];
        const double m = (double)w->m->p.mass[p];
        const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
        const double u[3] = {(double)v.x, (double)v.y, (double)v.z};
        for (int a = 0; a < 3; a++) {
            o.place[a] += m * at[a];
            o.velocity[a] += m * u[a];
        }
        mass += m;
        o.lowest = fmin(o.lowest, at[1]);
    }
    for (int a = 0; a < 3; a++) {
        o.place[a] /= mass;
        o.velocity[a] /= mass;
    }
    world_destroy(w);
    return o;
}

static void snow_rides_on_a_platform(void** state)
{
    (void)state;
    formula_body f = platform();
    const firn_deforming_def def = formula_def((size_t)1 << 30);
    firn_deforming* deforming = formula_open(&f, &def);
    world* w = create();
    add_body(w)->deforming = deforming;
    const outcome deformed = run(w);
    firn_deforming_release(deforming);

    w = create();
    const firn_shape_node box = {
        .kind = FIRN_SHAPE_BOX,
        .a = -1,
        .b = -1,
        .p = {f.center.x, f.center.y, f.center.z, f.half.x, f.half.y, f.half.z, 0},
        .q = firn_q_identity()};
    firn_collider* body = add_body(w);
    assert_int_equal(firn_shapes_add(&w->scene.shapes, &box, &body->shape, NULL), FIRN_OK);
    body->motion.velocity = f.velocity;
    const outcome rigid = run(w);

    // The level set of the mesh differs from the box's distance by a fraction of its voxel; the
    // snow on it by some of 1 % of a cell, and of the platform's speed.
    for (int a = 0; a < 3; a++) {
        assert_near(deformed.place[a], rigid.place[a], 0.02 * h);
        assert_near(deformed.velocity[a], rigid.velocity[a], 0.02);
    }
    // 6 cm along and 20 cm up with the platform, and still on it: to fractions of a cell, by which
    // the grid holds snow off a body
    assert_near(deformed.place[0], 0.06, 0.2 * h);
    assert_near(deformed.place[1], 0.2 + 2 * h, 0.5 * h);
    assert_greater(deformed.lowest, 0.2 - 0.5 * h);
    assert_less(deformed.lowest, 0.2 + 0.5 * h);
}

static void a_missing_key_stops_the_step(void** state)
{
    (void)state;
    formula_body f = platform();
    f.bad_key = 2;
    const firn_deforming_def def = formula_def((size_t)1 << 30);
    firn_deforming* deforming = formula_open(&f, &def);
    world* w = create();
    add_body(w)->deforming = deforming;
    world_start(w);
    firn_result result = FIRN_OK;
    while (result == FIRN_OK && w->time < 0.2) {
        const uint64_t before = firn_particles_hash(&w->m->base.store);
        result = world_try_step(w, 0.2 - w->time);
        if (result != FIRN_OK) assert_equal(firn_particles_hash(&w->m->base.store), before);
    }
    assert_int_equal(result, FIRN_REFUSED_IO);
    assert_contains(w->error.text, "key 2 is gone");
    assert_near(w->time, 0.05, 1e-3);  // keys 0 and 1 were there; to a step
    f.bad_key = -1;                    // the file is back: the run goes on
    world_step(w, 0.01);
    world_destroy(w);
    firn_deforming_release(deforming);
}

int test_mpm_deforming(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(snow_rides_on_a_platform),
                                       cmocka_unit_test(a_missing_key_stops_the_step)};
    return cmocka_run_group_tests_name("mpm_deforming", tests, NULL, NULL);
}
