// SPDX-License-Identifier: MIT
// What ARCHITECTURE.md promises of every solver: the same bits for any number of threads and after
// a restart, levels of SIMD that agree, no allocation in a step, cost that follows the particles.
#include "core/hash.h"
#include "particles_copy.h"
#include "solver/mpm/world.h"
#include "splines.h"

typedef struct setting {
    const char* name;
    firn_mpm_integrator integrator;
    firn_mpm_transfer transfer;
    firn_spline spline;
} setting;

static const setting settings[] = {
    {"explicit", FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_CUBIC},
    {"semi-implicit", FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_CUBIC},
    {"semi-implicit, apic", FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_APIC, FIRN_SPLINE_CUBIC},
    {"auto", FIRN_MPM_AUTO, FIRN_MPM_FLIP, FIRN_SPLINE_CUBIC},
    {"explicit, quadratic", FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, FIRN_SPLINE_QUADRATIC},
    {"semi-implicit, apic, quadratic", FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_APIC,
     FIRN_SPLINE_QUADRATIC}};
#define SETTINGS (sizeof settings / sizeof *settings)

// Two balls that hit the floor and each other: several blocks, contacts, plastic flow.
static world* collision(const setting* s, int threads, const char* simd)
{
    any_source r = {77, 0};
    world* w = world_create(0.01);
    w->def.integrator = s->integrator;
    w->def.transfer = s->transfer;
    w->def.spline = s->spline;
    w->scene.gravity[1] = -9.81;
    world_scatter(w, &r, (const double[3]){0.2, 0.3, 0.4}, (const double[3]){9, 9, 9}, 8, 4.5);
    const firn_local first = w->seeds.count;
    world_scatter(w, &r, (const double[3]){8, 2.5, 1}, (const double[3]){7, 7, 7}, 8, 3.5);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        w->seeds.velocity[p] = p < first ? firn_v3(1, -4, 0) : firn_v3(-3, -2, 1);
        w->seeds.stiffness[p] = (firn_real)any_between(&r, 0.5, 2);
    }
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.4);
    firn_collider* wall = world_plane(w, firn_v3((firn_real)0.2, 0, 0), firn_v3(-1, 0, 0), 0);
    wall->sticky = true;
    wall->motion.velocity = firn_v3((firn_real)-0.5, 0, 0);
    world_start_on(w, threads, simd);
    return w;
}

#define STEPS 15

static void any_number_of_threads(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    for (size_t s = 0; s < SETTINGS; s++) {
        uint64_t expected[STEPS];
        for (int t = 0; t < 4; t++) {
            world* w = collision(&settings[s], threads[t], NULL);
            for (int k = 0; k < STEPS; k++) {
                world_step(w, 5e-4);
                const uint64_t hash = firn_particles_hash(&w->m->base.store) ^
                                      firn_hash(w->report.momentum, sizeof w->report.momentum, 1) ^
                                      firn_hash(&w->report.elastic, sizeof(double), 2);
                if (t == 0) expected[k] = hash;
                if (hash != expected[k])
                    fail_msg("%s: step %d differs with %d threads", settings[s].name, k,
                             threads[t]);
            }
            // something must have happened, or the test means nothing
            assert_less(w->report.plastic_min, 0.999);
            assert_greater(w->report.elastic, 0);
            world_destroy(w);
        }
    }
}

// N + N steps through the checkpoint interface are 2N steps.
static void after_a_restart(void** state)
{
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        world *whole = collision(&settings[s], 2, NULL), *second = collision(&settings[s], 1, NULL);
        // solves over the target shorten the step by a factor that the next step must remember
        whole->m->def.iterations_target = second->m->def.iterations_target = 3;
        for (int k = 0; k < STEPS; k++) world_step(whole, 5e-4);
        const size_t size = firn_solver_mpm.extra_size(whole->m);
        void* extra = firn_alloc(size, 1);
        firn_solver_mpm.extra_save(whole->m, extra);
        assert_true(settings[s].integrator != FIRN_MPM_SEMI_IMPLICIT || whole->m->dt_factor < 0.5);
        assert_int_equal(copy_particles(&second->m->base.store, &whole->m->base.store), FIRN_OK);
        assert_int_equal(firn_solver_mpm.extra_restore(second->m, extra, size, NULL), FIRN_OK);
        assert_int_equal(firn_solver_mpm.extra_restore(second->m, extra, size - 1, NULL),
                         FIRN_REFUSED_DAMAGED);
        second->time = whole->time;
        for (int k = 0; k < STEPS; k++) {
            world_step(whole, 5e-4);
            world_step(second, 5e-4);
            assert_equal(firn_particles_hash(&whole->m->base.store),
                         firn_particles_hash(&second->m->base.store));
            assert_equal(whole->report.dt, second->report.dt);
        }
        firn_free(extra);
        world_destroy(whole);
        world_destroy(second);
    }
}

// Largest difference of positions, in cells, matched by id.
static double apart(const world* a, const world* b)
{
    firn_vec3* at = firn_alloc((size_t)a->m->p.count, sizeof *at);
    for (firn_local p = 0; p < a->m->p.count; p++) at[a->m->p.id[p]] = a->m->p.position[p];
    double most = 0;
    for (firn_local p = 0; p < b->m->p.count; p++)
        most =
            fmax(most, (double)firn_v3_length(firn_v3_sub(b->m->p.position[p], at[b->m->p.id[p]])));
    firn_free(at);
    return most / 0.01;
}

static void simd_levels(void** state)
{
    (void)state;
    const char* const names[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    for (size_t s = 0; s < SETTINGS; s++) {
        world* level[3] = {0};
        for (int k = 0; k < 3; k++) {
            if (firn_mpm_ops_find(names[k]) == NULL) continue;
            level[k] = collision(&settings[s], 1, names[k]);
            for (int n = 0; n < 4; n++) world_step(level[k], 2e-4);
        }
        assert_non_null(level[0]);
        if (level[1] != NULL) check_figure(simd_levels_apart, apart(level[0], level[1]));
        if (level[1] != NULL && level[2] != NULL)  // both fuse: bit for bit
            assert_equal(firn_particles_hash(&level[1]->m->base.store),
                         firn_particles_hash(&level[2]->m->base.store));
        for (int k = 0; k < 3; k++)
            if (level[k] != NULL) world_destroy(level[k]);
    }
    assert_null(firn_mpm_ops_find("x86-64-v5"));
    assert_string_equal(firn_mpm_ops_find("baseline")->simd, "baseline");
}

// "plain" is the best level without its fast passes: the same plain steps, and not far from it.
static void plain_steps(void** state)
{
    (void)state;
    const firn_mpm_ops *best = firn_mpm_ops_find(NULL), *plain = firn_mpm_ops_find("plain");
    assert_non_null(plain);
    assert_string_equal(plain->simd, "plain");
    assert_true(plain->rasterize == best->rasterize);
    assert_true(plain->forces == best->forces);
    assert_true(plain->solve == best->solve);
    assert_true(plain->deformation == best->deformation);
    assert_true(plain->advect == best->advect);
    assert_null(plain->fused_01_03);
    assert_null(plain->fused_07_10);
    assert_null(plain->solve_simd);
    assert_null(plain->apply_simd);
    assert_null(plain->linearize_simd);
    assert_non_null(best->fused_01_03);
    assert_non_null(best->fused_07_10);
    assert_non_null(best->solve_simd);
    for (size_t s = 0; s < SETTINGS; s++) {
        world *slow = collision(&settings[s], 1, "plain"), *fast = collision(&settings[s], 1, NULL);
        for (int n = 0; n < 4; n++) {
            world_step(slow, 2e-4);
            world_step(fast, 2e-4);
        }
        check_figure(simd_levels_apart, apart(slow, fast));
        world_destroy(slow);
        world_destroy(fast);
    }
}

static void unknown_simd_level(void** state)
{
    (void)state;
    world* w = world_create(0.01);
    void* self = NULL;
    const firn_solver_args args = {.simd = "x86-64-v5", .device = FIRN_DEVICE_CPU};
    assert_int_equal(firn_solver_mpm.create(&w->scene, &w->seeds, &args, &self, &w->error),
                     FIRN_REFUSED_BACKEND);
    assert_null(self);
    assert_contains(w->error.text, "x86-64-v5");
    assert_contains(w->error.text, "plain");
    world_destroy(w);
}

// Once the snow has stopped spreading, a step allocates nothing.
static void no_allocation_in_a_step(void** state)
{
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        world* w = world_create(0.01);
        w->def.integrator = settings[s].integrator;
        w->def.transfer = settings[s].transfer;
        w->def.spline = settings[s].spline;
        w->scene.gravity[1] = -9.81;
        world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){6, 6, 6}, 2, 0);
        world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.4);
        world_start_on(w, 2, NULL);
        world_step(w, 2e-4);
        const firn_memory_stats before = firn_memory_read();
        for (int k = 0; k < 20; k++) world_step(w, 2e-4);
        assert_int_equal(firn_memory_read().allocations, before.allocations);
        assert_int_equal(firn_memory_read().bytes, before.bytes);
        world_destroy(w);
    }
}

// The same snow in two lumps, near each other or a hundred metres apart: as many blocks, as much
// memory.
static void empty_space_costs_nothing(void** state)
{
    (void)state;
    firn_local blocks[2];
    uint64_t bytes[2];
    for (int far = 0; far < 2; far++) {
        const uint64_t start = firn_memory_read().bytes;
        world* w = world_create(0.01);
        world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){4, 4, 4}, 2, 0);
        world_lattice(w, (const double[3]){far ? 10000 : 16, 0, 0}, (const double[3]){4, 4, 4}, 2,
                      0);
        world_start(w);
        world_step(w, 1e-4);
        blocks[far] = w->report.active_blocks;
        bytes[far] = firn_memory_read().bytes - start;
        world_destroy(w);
    }
    assert_int_equal(blocks[0], blocks[1]);
    assert_int_equal(bytes[0], bytes[1]);
}

// Chosen explicit steps are what firn_mpm_sound_cfl allows, of the kind of spline.
static void steps_of_sound(void** state)
{
    const firn_spline spline = spline_of(state);
    world* w = world_create(0.01);
    w->def.spline = spline;
    w->def.dt_max = 1;
    world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){4, 4, 4}, 2, 0);
    world_start(w);
    const double c = 19.7202659, share = spline == FIRN_SPLINE_QUADRATIC ? 0.45 : 0.6;
    const double most = share * 0.01 / c, frame = 100.5 * most;  // 101 steps, all but as long
    world_step(w, frame);
    assert_near(w->report.dt / (frame / 101), 1, 1e-6);  // c comes from floats
    world_destroy(w);
}

// Chosen steps meet the end of a frame exactly, and respect the bounds.
static void steps_meet_frames(void** state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        world* w = collision(&settings[s], 1, NULL);
        w->m->def.dt_max = 0.002;  // so that the speed is what bounds the step
        const double frame = 1.0 / 240;
        int steps = 0;  // bounds on steps are floats: 1e-6; times are doubles: 1e-15
        while (w->time < frame - 1e-12) {
            world_step(w, frame - w->time);
            assert_greater(w->report.dt, 0);
            assert_at_most(w->report.dt, w->m->def.dt_max * 1.000001);
            assert_at_most(w->report.max_speed * w->report.dt, w->def.cfl * w->def.cell * 1.000001);
            steps++;
        }
        assert_greater(steps, 1);
        assert_near(w->time, frame, 1e-15);
        world_destroy(w);
    }
}

int test_mpm_promises(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_number_of_threads),
                                       cmocka_unit_test(after_a_restart),
                                       cmocka_unit_test(simd_levels),
                                       cmocka_unit_test(plain_steps),
                                       cmocka_unit_test(unknown_simd_level),
                                       cmocka_unit_test(no_allocation_in_a_step),
                                       cmocka_unit_test(empty_space_costs_nothing),
                                       EACH_SPLINE(steps_of_sound),
                                       cmocka_unit_test(steps_meet_frames)};
    return cmocka_run_group_tests_name("mpm_promises", tests, NULL, NULL);
}
