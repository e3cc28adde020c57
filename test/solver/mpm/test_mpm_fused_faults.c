// SPDX-License-Identifier: MIT
// Damaged particles: the fused pass reports the same one of each block as the plain steps, on every
// SIMD level, wherever it stands in a register or a chunk.
#include "solver/mpm/support/mpm_args.h"
#include "solver/mpm/tangle.h"

static const tangle kind_of_all = {FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, true,
                                   FIRN_MPM_PRECONDITIONER_NONE, FIRN_SPLINE_CUBIC};
static const double dt = 1e-5;

// Steps 7 to 10 without a look at the faults in between.
static void gather_regardless(world* w, bool fused)
{
    const firn_mpm_fused_07_10_args args = firn_mpm_args_fused_07_10(w->m);
    if (fused) {
        w->m->ops->fused_07_10(&args);
        return;
    }
    w->m->ops->deformation(&args.deformation);
    w->m->ops->particle_velocity(&args.velocity);
    w->m->ops->particle_collide(&args.collide);
    w->m->ops->advect(&args.advect);
}

typedef enum damage { INVERTED, FLAT, NAN_STRAIN, FAST, NAN_VELOCITY, DAMAGES } damage;

static void do_damage(world* w, damage kind, firn_local p)
{
    firn_mpm_particles* all = &w->m->p;
    switch (kind) {
    case INVERTED: all->def_grad_elastic[p] = firn_m3_diagonal(1, 1, -1); break;
    case FLAT: all->def_grad_elastic[p] = firn_m3_diagonal(1, 0, 1); break;
    case NAN_STRAIN: all->def_grad_elastic[p].m[2][0] = (firn_real)NAN; break;
    case FAST: all->velocity[p].y = (firn_real)3e3; break;  // 3 cells
    default: all->velocity[p].x = (firn_real)NAN; break;
    }
}

// Damaged particles of every third block: the first and the last of a chunk, and one far behind
// them. The first in the list is the one that is named.
static int do_damages(world* w, damage kind, firn_local* expected)
{
    const firn_sparse_grid* grid = &w->m->grid;
    int done = 0;
    for (firn_local b = 0; b < grid->occupied_count; b++) {
        const firn_local first = grid->first[b], count = grid->first[b + 1] - first;
        const firn_local at = count > 64 ? 50 : count / 2;
        expected[b] = -1;
        if (b % 3 != 0) continue;
        do_damage(w, kind, grid->order[first + count - 1]);
        if (count > 66) do_damage(w, kind, grid->order[first + 63]);
        do_damage(w, kind, grid->order[first + at]);
        expected[b] = grid->order[first + at];
        done++;
    }
    return done;
}

static void same_faults(void** state)
{
    (void)state;
    world* tangled = tangle_make(&kind_of_all, 0.9, 1.1);
    for (int level = 0; level < TANGLE_LEVELS; level++) {
        const char* simd = tangle_levels[level];
        if (firn_mpm_ops_find(simd) == NULL) continue;
        world* w = tangle_copy(&kind_of_all, tangled, 3, simd);
        w->m->def.dt = dt;
        world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_06_SOLVE, dt);
        firn_particles before = tangle_keep(w);
        const size_t occupied = (size_t)w->m->grid.occupied_count;
        firn_local* expected = firn_alloc(occupied, sizeof *expected);
        for (int kind = 0; kind < DAMAGES; kind++) {
            int found = 0;
            tangle_restore(w, &before);
            const int done = do_damages(w, (damage)kind, expected);
            firn_particles damaged = tangle_keep(w);
            gather_regardless(w, false);
            firn_mpm_fault* plain = firn_alloc(occupied, sizeof *plain);
            assert_non_null(plain);
            memcpy(plain, w->m->faults, occupied * sizeof *plain);
            tangle_restore(w, &damaged);
            gather_regardless(w, true);
            for (size_t b = 0; b < occupied; b++) {
                const firn_mpm_fault *f = &w->m->faults[b], *g = &plain[b];
                assert_int_equal(f->inverted, g->inverted);
                assert_int_equal(f->runaway, g->runaway);
                found += f->inverted >= 0 || f->runaway >= 0;
                // a body that holds a particle takes its speed away
                if (kind < FAST || f->runaway >= 0)
                    assert_int_equal(kind < FAST ? f->inverted : f->runaway, expected[b]);
                assert_int_equal(kind < FAST ? f->runaway : f->inverted, -1);
            }
            assert_greater(done, 20);
            assert_true(kind < FAST ? found == done : found > done / 2);
            firn_free(plain);
            firn_particles_destroy(&damaged);
        }
        firn_free(expected);
        firn_particles_destroy(&before);
        world_destroy(w);
    }
    world_destroy(tangled);
}

int test_mpm_fused_faults(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_faults)};
    return cmocka_run_group_tests_name("mpm_fused_faults", tests, NULL, NULL);
}
