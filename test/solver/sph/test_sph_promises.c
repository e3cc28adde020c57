// SPDX-License-Identifier: MIT
// What ARCHITECTURE.md promises of every solver: the same bits for any number of threads and after
// a restart, no allocation in a step, cost that follows the particles.
#include "core/hash.h"
#include "particles_copy.h"
#include "solver/sph/busy.h"

#define STEPS 30

typedef struct setting {
    const char* name;
    firn_sph_elasticity elasticity;
    firn_sph_rest_density rest_density;
    bool heats;
} setting;

static const setting settings[] = {{"split", FIRN_SPH_SPLIT, FIRN_SPH_CURRENT, false},
                                   {"combined", FIRN_SPH_COMBINED, FIRN_SPH_CURRENT, false},
                                   {"plastic, heat", FIRN_SPH_SPLIT, FIRN_SPH_PLASTIC, true}};
#define SETTINGS (sizeof settings / sizeof *settings)

// A lump that hits a moving floor and a ball, under snowfall in a gusty wind.
static world* storm(const setting* s, int threads)
{
    any_source r = {77, 0};
    world* w = world_create(BUSY_H);
    w->def.elasticity = s->elasticity;
    w->def.rest_density = s->rest_density;
    w->def.iterations_target =
        4;  // so that the size of the steps is learnt, and must be remembered
    w->def.dt_max = 1e-3;
    w->scene.gravity[1] = -9.81;
    w->scene.air.active = w->scene.air.drag = true;
    w->scene.air.velocity[0] = 3;
    w->scene.air.density = 1.3;
    w->scene.air.viscosity = 1.7e-5;
    w->scene.air.gusts =
        (firn_gust_block){.strength = 0.3, .length = 0.2, .period = 0.1, .seed = 3};
    if (s->heats) {
        w->scene.air.temperature = -20;
        w->scene.air.heat_transfer = 20;
        w->def.heat_speed = 100;
    }
    world_cloud(w, &r, 8, 0.2, 0.1);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        w->seeds.velocity[p] = firn_v3(1, -2, 0);
        if (s->heats) w->seeds.temperature[p] = (firn_real)any_between(&r, -10, 0);
    }
    firn_collider* floor =
        world_plane(w, firn_v3(0, (firn_real)(-0.5 * BUSY_H), 0), firn_v3(0, 1, 0), 0.5);
    floor->motion.velocity = firn_v3(0, (firn_real)0.1, 0);
    firn_collider* body = world_plane(w, firn_v3((firn_real)0.18, 0, 0), firn_v3(-1, 0, 0), 0);
    body->shape = world_ball(w, firn_v3((firn_real)0.25, (firn_real)0.05, (firn_real)0.1), 0.08);
    body->adhesion = 2;
    if (s->heats) body->temperature = 5, body->heat_transfer = 100;
    const firn_local cloud =
        world_ball(w, firn_v3((firn_real)0.1, (firn_real)0.3, (firn_real)0.1), 0.1);
    w->emitters[w->scene.emitter_count++] = (firn_emitter){.shape = cloud,
                                                           .rate = 5000,
                                                           .velocity = {0, -3, 0},
                                                           .spread = 0.3,
                                                           .stop = INFINITY,
                                                           .limit = FIRN_EMITTER_NO_LIMIT,
                                                           .temperature = -8,
                                                           .seed = 11};
    world_start_on(w, threads, NULL);
    return w;
}

static uint64_t hash_of(const world* w)
{
    return firn_particles_hash(&w->m->base.store) ^
           firn_hash(w->report.momentum, sizeof w->report.momentum, 1) ^
           firn_hash(&w->report.elastic, sizeof(double), 2) ^
           firn_hash(&w->report.dt, sizeof(double), 3) ^
           firn_hash(&w->report.residual, sizeof(double), 4);
}

static void any_number_of_threads(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 7, 32};
    for (size_t s = 0; s < SETTINGS; s++) {
        uint64_t expected[STEPS];
        for (int t = 0; t < 4; t += FIRN_TEST_SANITIZED ? 2 : 1) {
            world* w = storm(&settings[s], threads[t]);
            for (int k = 0; k < STEPS; k++) {
                world_step(w, 1);
                const uint64_t hash = hash_of(w);
                if (t == 0) expected[k] = hash;
                if (hash != expected[k])
                    fail_msg("%s: step %d differs with %d threads", settings[s].name, k,
                             threads[t]);
            }
            // something must have happened, or the test means nothing
            assert_greater(w->m->p.count, 560);
            assert_greater(w->m->contact_count, 50);
            assert_less(w->m->dt_factor, 1);
            assert_less(w->report.plastic_min, 0.9);
            assert_greater(w->report.elastic, 0);
            world_destroy(w);
        }
    }
}

// N + N steps through the checkpoint interface are 2 N steps, although boundary particles and lists
// of the second half are made afresh.
static void after_a_restart(void** state)
{
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        world *whole = storm(&settings[s], 2), *second = storm(&settings[s], 1);
        for (int k = 0; k < STEPS / 2; k++) world_step(whole, 1);
        const size_t size = firn_solver_sph.extra_size(whole->m);
        void* extra = firn_alloc(size, 1);
        firn_solver_sph.extra_save(whole->m, extra);
        assert_less(whole->m->dt_factor, 1);
        assert_greater(whole->m->emitted[0], 10);
        assert_int_equal(copy_particles(&second->m->base.store, &whole->m->base.store), FIRN_OK);
        assert_int_equal(firn_solver_sph.extra_restore(second->m, extra, size, NULL), FIRN_OK);
        assert_int_equal(firn_solver_sph.extra_restore(second->m, extra, size - 1, NULL),
                         FIRN_REFUSED_DAMAGED);
        second->time = whole->time;
        for (int k = 0; k < STEPS / 2; k++) {
            world_step(whole, 1);
            world_step(second, 1);
            if (hash_of(whole) != hash_of(second))
                fail_msg("%s: step %d after the restart differs", settings[s].name, k);
        }
        firn_free(extra);
        world_destroy(whole);
        world_destroy(second);
    }
}

// A ball that spins fast below two lumps, of which the one at its equator flies away.
static world* spinning_ball(void)
{
    world* w = world_create(BUSY_H);
    w->def.dt_max = 1e-3;
    world_lattice(w, firn_v3((firn_real)0.42, 0, 0), 4, 4, 4, BUSY_H);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = firn_v3(5, 0, 0);
    world_lattice(w, firn_v3(0, (firn_real)0.42, 0), 4, 4, 4, BUSY_H);
    firn_collider* ball = world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0);
    ball->shape = world_ball(w, firn_v3(0, 0, 0), 0.4);
    ball->motion.spin = firn_v3(0, 30, 0);
    world_start_on(w, 1, NULL);
    return w;
}

// The length of a step depends on colliders near snow, not on where snow has been near them.
static void steps_forget_where_snow_was(void** state)
{
    (void)state;
    world *whole = spinning_ball(), *second = spinning_ball();
    world_step(whole, 1);
    print_message("%.3g s while snow is at the equator, ", whole->report.dt);
    assert_less(whole->report.dt, 0.8e-3);  // cfl h / 12 m/s
    for (int k = 0; k < 60; k++) world_step(whole, 1);
    print_message("%.3g s later\n", whole->report.dt);
    assert_greater(whole->report.dt, 0.95e-3);
    const size_t size = firn_solver_sph.extra_size(whole->m);
    void* extra = firn_alloc(size, 1);
    firn_solver_sph.extra_save(whole->m, extra);
    assert_int_equal(copy_particles(&second->m->base.store, &whole->m->base.store), FIRN_OK);
    assert_int_equal(firn_solver_sph.extra_restore(second->m, extra, size, NULL), FIRN_OK);
    second->time = whole->time;
    for (int k = 0; k < 4; k++) {
        world_step(whole, 1);
        world_step(second, 1);
        assert_int_equal(hash_of(whole), hash_of(second));
    }
    firn_free(extra);
    world_destroy(whole);
    world_destroy(second);
}

// A block of checkpoint that cannot be one is refused, and nothing is taken from it.
static void damaged_extra(void** state)
{
    (void)state;
    world* w = storm(&settings[0], 1);
    for (int k = 0; k < 3; k++) world_step(w, 1);
    const size_t size = firn_solver_sph.extra_size(w->m);
    unsigned char* block = firn_alloc(size, 1);
    for (size_t at = 0; at + 8 <= size; at += 8) {
        firn_solver_sph.extra_save(w->m, block);
        memset(block + at, 0xff, 8);  // -1, NaN, or a number beyond all
        const int64_t step = w->m->base.step;
        assert_int_equal(firn_solver_sph.extra_restore(w->m, block, size, NULL),
                         FIRN_REFUSED_DAMAGED);
        assert_equal(w->m->base.step, step);
        assert_at_least(w->m->emitted[0], 0);
        assert_greater(w->m->dt_factor, 0);
    }
    firn_free(block);
    world_destroy(w);
}

// Once the snow has stopped spreading, a step allocates nothing.
static void no_allocation_in_a_step(void** state)
{
    (void)state;
    for (int elasticity = 0; elasticity < 2; elasticity++) {
        world* w = world_create(BUSY_H);
        w->def.elasticity = elasticity;
        w->scene.gravity[1] = -9.81;
        world_lattice(w, firn_v3(0, (firn_real)(0.5 * BUSY_H), 0), 8, 6, 8, BUSY_H);
        world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 1);
        world_start_on(w, 2, NULL);
        for (int k = 0; k < 5; k++) world_step(w, 1e-3);
        const firn_memory_stats before = firn_memory_read();
        for (int k = 0; k < 40; k++) world_step(w, 1e-3);
        assert_int_equal(firn_memory_read().allocations, before.allocations);
        assert_int_equal(firn_memory_read().bytes, before.bytes);
        world_destroy(w);
    }
}

// Snowfall grows the arrays now and then, not in every step.
static void snowfall_allocates_seldom(void** state)
{
    (void)state;
    world* w = world_create(BUSY_H);
    const firn_local cloud = world_ball(w, firn_v3(0, 0, 0), 1);
    w->emitters[w->scene.emitter_count++] = (firn_emitter){
        .shape = cloud, .rate = 1e4, .stop = INFINITY, .limit = FIRN_EMITTER_NO_LIMIT};
    world_start(w);
    int steps = 0;
    for (int k = 0; k < 200; k++) {
        const uint64_t before = firn_memory_read().allocations;
        world_step(w, 1e-3);
        steps += firn_memory_read().allocations > before;
    }
    print_message("%d of 200 steps allocate, %d flakes\n", steps, (int)w->m->p.count);
    assert_greater(w->m->p.count, 1900);
    assert_less(steps, 120);
    world_destroy(w);
}

// The same snow in two lumps, near each other or a hundred metres apart: as much memory.
static void empty_space_costs_nothing(void** state)
{
    (void)state;
    uint64_t bytes[2];
    for (int far = 0; far < 2; far++) {
        const uint64_t start = firn_memory_read().bytes;
        world* w = world_create(BUSY_H);
        // cells are 2 h wide: nobody near their sides or two spacings from another, where rounding
        // would decide
        const firn_real off = (firn_real)(0.5 * BUSY_H), x = (firn_real)(far ? 102.4 : 0.32);
        world_lattice(w, firn_v3(off, off, off), 6, 6, 6, 1.03 * BUSY_H);
        world_lattice(w, firn_v3(x + off, off, off), 6, 6, 6, 1.03 * BUSY_H);
        world_start(w);
        world_step(w, 1e-3);
        bytes[far] = firn_memory_read().bytes - start;
        world_destroy(w);
    }
    assert_int_equal(bytes[0], bytes[1]);
}

// Chosen steps meet the end of a frame exactly, and respect the bounds.
static void steps_meet_frames(void** state)
{
    (void)state;
    world* w = storm(&settings[0], 1);
    const double frame = 1.0 / 60;
    int steps = 0;
    while (w->time < frame - 1e-12) {
        world_step(w, frame - w->time);
        assert_greater(w->report.dt, 0);
        assert_at_most(w->report.dt, w->def.dt_max * 1.000001);
        assert_at_most(w->report.max_speed * w->report.dt, w->def.cfl * BUSY_H * 1.000001);
        steps++;
    }
    assert_greater(steps, 10);
    assert_near(w->time, frame, 1e-15);
    world_destroy(w);
}

int test_sph_promises(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads),       cmocka_unit_test(after_a_restart),
        cmocka_unit_test(steps_forget_where_snow_was), cmocka_unit_test(damaged_extra),
        cmocka_unit_test(no_allocation_in_a_step),     cmocka_unit_test(snowfall_allocates_seldom),
        cmocka_unit_test(empty_space_costs_nothing),   cmocka_unit_test(steps_meet_frames),
    };
    return cmocka_run_group_tests_name("sph_promises", tests, NULL, NULL);
}
