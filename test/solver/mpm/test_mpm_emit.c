// SPDX-License-Identifier: MIT
// Emitters of the material point method: mass to a particle, momentum, any number of threads,
// checkpoints, and what a GPU refuses.
#include "particles_copy.h"
#include "scene/data/emitter.h"
#include "scene/run/flakes.h"
#include "solver/mpm/cuda/mpm_gpu.h"
#include "solver/mpm/world.h"

#define H 0.02
#define ROUNDING (sizeof(firn_real) == 8 ? 1e-15 : 1e-7)

typedef struct sources {
    world* w;
    firn_emitter all[2];
} sources;

// A hose along x, and snowfall of `limit` particles above it.
static sources* create(void)
{
    sources* s = firn_alloc(1, sizeof *s);
    world* w = s->w = world_create(H);
    const firn_shape_node hose = world_ball_node(firn_v3(0, 1, 0), 2 * H);
    const firn_shape_node cloud = world_ball_node(firn_v3(1, 1, 0), 8 * H);
    s->all[0] = (firn_emitter){.shape = world_add_shape(&w->scene, &hose),
                               .flow = 3,  // 7500 particles a second of 400 kg/m^3 * 1 cm^3
                               .velocity = {4, 1, 0},
                               .stop = INFINITY,
                               .limit = FIRN_EMITTER_NO_LIMIT,
                               .seed = 3};
    s->all[1] = (firn_emitter){.shape = world_add_shape(&w->scene, &cloud),
                               .rate = 4000,
                               .velocity = {0, -1, 0},
                               .size = H,
                               .stop = INFINITY,
                               .mass = 0.32,  // 100 particles of 3.2 g
                               .seed = 4};
    w->scene.emitters = s->all;
    w->scene.emitter_count = 2;
    firn_emitters_settle(&w->scene, 0.5 * H);
    return s;
}

static void destroy(sources* s)
{
    world_destroy(s->w);
    firn_free(s);
}

// Every particle that is due is there once with its mass, and brings its momentum: nothing else
// acts on the snow, and inner forces change none. Rounding of floats is the tolerance.
static void mass_and_momentum(void** state)
{
    (void)state;
    any_source r = any_start(5);
    for (int implicit = 0; implicit < 2; implicit++) {
        sources* s = create();
        world* w = s->w;
        w->def.integrator = implicit ? FIRN_MPM_SEMI_IMPLICIT : FIRN_MPM_EXPLICIT;
        w->def.tolerance = 1e-6;
        world_start(w);
        assert_int_equal(w->m->p.count, 0);
        for (int n = 0; n < 100; n++) world_step(w, any_between(&r, 1e-4, 4e-4));
        const double time = w->time - w->report.dt;  // particles are due at a step's start
        const double one = 400 * pow(H / 2, 3);
        const firn_local hose = (firn_local)floor(time * 3 / one + 1e-6);
        const firn_local cloud = (firn_local)fmin(floor(time * 4000 + 1e-6), 100);
        assert_int_equal(w->m->p.count, hose + cloud);
        assert_int_equal(cloud == 100 ? 1 : 0, time >= 0.025 ? 1 : 0);
        double mass[3] = {0}, momentum[3] = {0};
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const firn_vec3 v = w->m->p.velocity[p];
            const double m = (double)w->m->p.mass[p];
            mass[w->m->p.emitter[p]] += m;
            momentum[0] += m * (double)v.x;
            momentum[1] += m * (double)v.y;
            momentum[2] += m * (double)v.z;
        }
        assert_near(mass[1] / (hose * one), 1, 10 * ROUNDING);
        assert_near(mass[2] / (cloud * 8 * one), 1, 10 * ROUNDING);
        const double all = mass[1] * sqrt(17) + mass[2];
        assert_near(momentum[0] / all, 4 * mass[1] / all, 100 * ROUNDING);
        assert_near(momentum[1] / all, (mass[1] - mass[2]) / all, 100 * ROUNDING);
        assert_near(momentum[2] / all, 0, 100 * ROUNDING);
        destroy(s);
    }
}

// The stream hits a wall, and snow that has passed an edge is removed.
static sources* onto_a_wall(int threads)
{
    sources* s = create();
    world* w = s->w;
    w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
    w->scene.gravity[1] = -9.81;
    w->scene.cull = (firn_cull_block){.active = true, .below = 0.95, .inside = -1, .outside = -1};
    world_plane(w, firn_v3((firn_real)0.1, 0, 0), firn_v3(-1, 0, 0), 0.4);
    world_start_on(w, threads, NULL);
    return s;
}

#define STEPS 60

static void any_number_of_threads(void** state)
{
    (void)state;
    uint64_t expected[STEPS];
    const int threads[] = {1, 2, 7};
    for (int t = 0; t < 3; t++) {
        sources* s = onto_a_wall(threads[t]);
        firn_local culled = 0;
        for (int k = 0; k < STEPS; k++) {
            world_step(s->w, 1e-3);
            culled += s->w->report.culled;
            const uint64_t hash = firn_particles_hash(&s->w->m->base.store);
            if (t == 0) expected[k] = hash;
            if (hash != expected[k]) fail_msg("step %d differs with %d threads", k, threads[t]);
        }
        assert_greater(culled, 0);
        assert_less(s->w->report.plastic_min, 0.99);  // the wall is hit
        destroy(s);
    }
}

// N + N steps through the checkpoint interface are 2N steps, ids included.
static void after_a_restart(void** state)
{
    (void)state;
    sources *whole = onto_a_wall(2), *second = onto_a_wall(1);
    for (int k = 0; k < STEPS; k++) world_step(whole->w, 1e-3);
    firn_mpm *a = whole->w->m, *b = second->w->m;
    const size_t size = firn_solver_mpm.extra_size(a);
    char* extra = firn_alloc(size, 1);
    firn_error error;
    firn_solver_mpm.extra_save(a, extra);
    assert_int_equal(firn_solver_mpm.extra_restore(b, extra, size - 4, &error),
                     FIRN_REFUSED_DAMAGED);
    const int64_t forged = -1;
    char* broken = firn_alloc(size, 1);
    memcpy(broken, extra, size);
    memcpy(broken + size - sizeof forged, &forged, sizeof forged);
    assert_int_equal(firn_solver_mpm.extra_restore(b, broken, size, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "emitted");
    assert_int_equal(b->emitted[0], 0);
    assert_int_equal(copy_particles(&b->base.store, &a->base.store), FIRN_OK);
    assert_int_equal(firn_solver_mpm.extra_restore(b, extra, size, &error), FIRN_OK);
    second->w->time = whole->w->time;
    for (int k = 0; k < STEPS; k++) {
        world_step(whole->w, 1e-3);
        world_step(second->w, 1e-3);
        assert_equal(firn_particles_hash(&a->base.store), firn_particles_hash(&b->base.store));
    }
    assert_int_equal(a->next_id, b->next_id);
    assert_greater(a->next_id, (uint32_t)a->p.count);  // some were removed: ids go on
    firn_free(extra);
    firn_free(broken);
    destroy(whole);
    destroy(second);
}

static void refused_on_a_gpu(void** state)
{
    (void)state;
    sources* s = create();
    firn_error error;
    world_start(s->w);
    assert_int_equal(firn_mpm_gpu_check(s->w->m, &error), FIRN_REFUSED_BACKEND);
    assert_contains(error.text, "emitters");
    s->w->scene.emitter_count = 0;
    assert_int_equal(firn_mpm_gpu_check(s->w->m, &error), FIRN_OK);
    destroy(s);
}

int test_mpm_emit(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_momentum), cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(after_a_restart), cmocka_unit_test(refused_on_a_gpu)};
    return cmocka_run_group_tests_name("mpm_emit", tests, NULL, NULL);
}
