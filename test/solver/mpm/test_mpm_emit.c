// SPDX-License-Identifier: MIT
// Emitters of the material point method: mass to a particle, momentum, any number of threads,
// checkpoints.
#include "particles_copy.h"
#include "solver/mpm/world.h"

#define world_begin(w) world_start(w)
#define world_look(w) ((void)(w))
#include "solver/mpm/emit_cases.h"

// The stream hits a wall, and snow that has passed an edge is removed.
static sources* onto_a_wall(int threads)
{
    sources* s = sources_create();
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
        sources_destroy(s);
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
    sources_destroy(whole);
    sources_destroy(second);
}

int test_mpm_emit(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mass_and_momentum),
                                       cmocka_unit_test(any_number_of_threads),
                                       cmocka_unit_test(after_a_restart)};
    return cmocka_run_group_tests_name("mpm_emit", tests, NULL, NULL);
}
