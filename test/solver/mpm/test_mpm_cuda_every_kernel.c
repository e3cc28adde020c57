// SPDX-License-Identifier: MIT
// Every kernel of the GPU's material point method, with little snow and few steps: small enough for
// compute-sanitizer, which is a hundred times slower (tools/gpu-check). What the kernels compute is
// tested by mpm_cuda_steps; here that snow stays whole and finite, and that nothing depends on when
// the device was asked.
#include "firn_test.h"
#include "geometry/collider/dynamic_collider.h"
#include "physics/force_field.h"
#include "scene/data/emitter.h"
#include "scene/keys/blocks.h"
#include "solver/mpm/device_world.h"
#include "solver/shared/powder/powder.h"

typedef struct way {
    firn_mpm_integrator integrator;
    firn_mpm_transfer transfer;
    firn_spline spline;
    firn_mpm_preconditioner preconditioner;
    bool culls;
    bool rigid;    // with a dynamic collider
    bool outside;  // with forces, wind, flakes, powder, a material with keys and, explicit, contact
                   // at the surface
} way;

#define STEPS 18     // of explicit ways: step 16 moves particles in store
#define STEPS_FEW 3  // of those that solve: an iteration is as many kernels as a step

// A ball of 0.1 kg in the middle of the block.
static void add_ball(world* w)
{
    const firn_shape_node node = {
        .kind = FIRN_SHAPE_SPHERE, .a = -1, .b = -1, .p = {0, 0, 0, (firn_real)0.02}};
    firn_collider* ball = world_add_body(&w->scene, w->bodies, &node);
    ball->friction = (firn_real)0.3;
    ball->motion.position = firn_v3((firn_real)0.04, (firn_real)0.03, (firn_real)0.04);
    ball->motion.velocity = firn_v3(0, -1, 0);
    if (firn_collider_set_dynamic(ball, &w->scene.shapes, (firn_real)0.1, &w->error) != FIRN_OK)
        fail_msg("%s", w->error.text);
}

static firn_force force = {.kind = FIRN_FORCE_NOISE,
                           .strength = 5,
                           .length = 0.05,
                           .period = 0.01,
                           .seed = 3,
                           .key_count = 2,
                           .keys = {{0, 0}, {0.001, 1}}};
static firn_emitter emitter;

static void add_outside(world* w, const way* how)
{
    const firn_shape_node hose =
        world_ball_node(firn_v3((firn_real)0.04, (firn_real)0.12, 0), 0.02);
    w->def.contact =
        how->integrator == FIRN_MPM_EXPLICIT ? FIRN_MPM_CONTACT_SURFACE : FIRN_MPM_CONTACT_NODES;
    w->scene.forces = &force;
    w->scene.force_count = 1;
    w->scene.air = (firn_air_block){.active = true,
                                    .drag = true,
                                    .density = 1.3,
                                    .viscosity = 1.7e-5,
                                    .velocity = {3},
                                    .gusts = {0.5, 0.05, 0.01, 2}};
    emitter = (firn_emitter){.shape = world_add_shape(&w->scene, &hose),
                             .rate = 20000,
                             .velocity = {0, -1, 0},
                             .speed = 0.1,
                             .spread = 0.1,
                             .depth = 0.01,
                             .flake_size = FIRN_FLAKE_SIZE,
                             .flake_density = FIRN_FLAKE_DENSITY,
                             .stop = INFINITY,
                             .limit = FIRN_EMITTER_NO_LIMIT};
    w->scene.emitters = &emitter;
    w->scene.emitter_count = 1;
    w->material.key_count = 2;
    w->material.keys[0] = (firn_material_key){0, 1, 1, 1, 1};
    w->material.keys[1] = (firn_material_key){2e-3, 0.5, 2, 1, 1};
    firn_powder_keys.set_defaults(&w->scene.powder);  // of all that breaks
    w->scene.powder.active = true;
    w->scene.powder.rate = w->scene.powder.speed = 0;
    w->scene.powder.points = 1000;
    w->scene.powder.tick = 1e-3;
}

// A small block that slides and falls on a floor.
static world* block(const way* how)
{
    world* w = world_create(0.02);
    w->def.integrator = how->integrator;
    w->def.transfer = how->transfer;
    w->def.spline = how->spline;
    w->def.preconditioner = how->preconditioner;
    w->def.dt = 2e-4;
    w->def.max_iterations = 4;
    w->def.tolerance = 1e-3;
    w->scene.time.fps = 24;
    w->scene.gravity[1] = -9.81;
    w->scene.cull =
        (firn_cull_block){.active = how->culls, .below = -1, .inside = -1, .outside = -1};
    if (how->culls) w->scene.cull.below = 0.0105;
    const double from[3] = {0.3, 0.3, 0.3}, size[3] = {3, 2, 3};
    world_lattice(w, from, size, 2, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = firn_v3(1, -2, 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.3);
    if (how->rigid) add_ball(w);
    if (how->outside) add_outside(w, how);
    device_start(w, 4);
    return w;
}

static void go(world* w, bool looks)
{
    const int steps = w->def.integrator == FIRN_MPM_EXPLICIT ? STEPS : STEPS_FEW;
    if (firn_solver_mpm.remote(w->m))
        assert_int_equal(firn_solver_mpm.snapshot_take(w->m, &w->error), FIRN_OK);
    for (int step = 0; step < steps; step++) {
        world_step(w, steps * 2e-4 - w->time);
        if (looks && step % 7 == 1) device_fetch(w);
    }
    device_fetch(w);
}

static void both_agree(const way* ways, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        world *a = block(&ways[k]), *b = block(&ways[k]);
        const firn_local all = a->m->base.store.count;
        go(a, false);
        go(b, true);
        print_message("way %d: %d of %d particles, hash %llx\n", (int)k, (int)a->m->p.count,
                      (int)all, (unsigned long long)firn_particles_hash(&a->m->base.store));
        assert_greater(a->m->p.count, 0);
        assert_equal(a->m->p.count < all, ways[k].culls && !ways[k].outside);
        assert_equal(a->m->p.count > all, ways[k].outside);
        for (firn_local p = 0; p < a->m->p.count; p++) {
            assert_true(firn_v3_is_finite(a->m->p.position[p]));
            assert_near(a->m->p.velocity[p].y, 0, 4);
        }
        assert_equal(firn_particles_hash(&a->m->base.store),
                     firn_particles_hash(&b->m->base.store));
        if (ways[k].outside) {
            print_message("%d points of powder\n", (int)a->m->powder->store.count);
            assert_greater(a->m->powder->store.count, 0);
            assert_equal(firn_powder_hash(a->m->powder), firn_powder_hash(b->m->powder));
        }
        world_destroy(a);
        world_destroy(b);
    }
}

static void explicit_ways(void** state)
{
    (void)state;
    const way ways[] = {
        {FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_CUBIC, FIRN_MPM_PRECONDITIONER_NONE, false,
         false, false},
        {FIRN_MPM_EXPLICIT, FIRN_MPM_APIC, FIRN_SPLINE_QUADRATIC, FIRN_MPM_PRECONDITIONER_NONE,
         true, false, false},
    };
    both_agree(ways, sizeof ways / sizeof *ways);
}

static void ways_with_a_dynamic_collider(void** state)
{
    (void)state;
    const way ways[] = {
        {FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_CUBIC, FIRN_MPM_PRECONDITIONER_NONE, false,
         true, false},
        {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_CUBIC, FIRN_MPM_PRECONDITIONER_NONE,
         false, true, false},
        {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_APIC, FIRN_SPLINE_QUADRATIC,
         FIRN_MPM_PRECONDITIONER_DIAGONAL, false, true, false},
    };
    both_agree(ways, sizeof ways / sizeof *ways);
}

// The last one culls, too.
static void ways_from_outside(void** state)
{
    (void)state;
    const way ways[] = {
        {FIRN_MPM_EXPLICIT, FIRN_MPM_APIC, FIRN_SPLINE_CUBIC, FIRN_MPM_PRECONDITIONER_NONE, false,
         false, true},
        {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_QUADRATIC, FIRN_MPM_PRECONDITIONER_NONE,
         false, true, true},
        {FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_CUBIC, FIRN_MPM_PRECONDITIONER_NONE, true,
         false, true},
    };
    both_agree(ways, sizeof ways / sizeof *ways);
}

static void ways_with_a_solve(void** state)
{
    (void)state;
    const way ways[] = {
        {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_APIC, FIRN_SPLINE_QUADRATIC,
         FIRN_MPM_PRECONDITIONER_DIAGONAL, false, false, false},
        {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_CUBIC, FIRN_MPM_PRECONDITIONER_NONE,
         false, false, false},
    };
    both_agree(ways, sizeof ways / sizeof *ways);
}

int test_mpm_cuda_every_kernel(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_ways), cmocka_unit_test(ways_from_outside),
        cmocka_unit_test(ways_with_a_solve), cmocka_unit_test(ways_with_a_dynamic_collider)};
    return cmocka_run_group_tests_name("mpm_cuda_every_kernel", tests, NULL, NULL);
}
