// SPDX-License-Identifier: MIT
// The stages of a step: arguments (mpm_args.c), faults, report.
#include "solver/mpm/support/mpm_run.h"

#include "solver/mpm/outside/mpm_powder.h"
#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/support/mpm_args.h"
#include "solver/mpm/support/mpm_cpu.h"
#include "solver/mpm/support/mpm_fault.h"

// Step 5 with dynamic colliders.
static firn_result collide_lumps(firn_mpm* m, firn_error* error)
{
    const firn_mpm_contact_args args = firn_mpm_args_contact(m);
    if (m->contacts->lumps.count == 0) return FIRN_OK;
    if (firn_mpm_contacts_find(m->contacts, &args) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for snow in contact");
    firn_mpm_contacts_settle(m->contacts, &args);
    return FIRN_OK;
}

static firn_result solve(firn_mpm* m, firn_error* error)
{
    if (!m->implicit) return FIRN_OK;
    const firn_mpm_solve_args args = firn_mpm_args_solve(m);
    const firn_cr_result r =
        m->ops->solve_simd != NULL ? m->ops->solve_simd(&args) : m->ops->solve(&args);
    m->iterations = r.iterations;
    m->residual = r.residual;
    if (!(r.residual < FIRN_MPM_RESIDUAL_ACCEPTED))
        return firn_mpm_fault_solve(m, r.reason == FIRN_CR_STALLED, error);
    if (r.residual > 0 && m->base.collider_count > 0)
        (m->ops->react_simd != NULL ? m->ops->react_simd : m->ops->react)(&args);
    return FIRN_OK;
}

static firn_result look_for_faults(const firn_mpm* m, bool after_advect, firn_error* error)
{
    for (firn_local b = 0; b < m->grid.occupied_count; b++) {
        const firn_local p = after_advect ? m->faults[b].runaway : m->faults[b].inverted;
        if (p < 0) continue;
        const firn_culprit culprit = firn_mpm_culprit_of(m, p);
        return after_advect ? firn_mpm_fault_runaway(m, &culprit, error)
                            : firn_mpm_fault_inverted(m, &culprit, error);
    }
    return FIRN_OK;
}

#define RUN(stage)                                                     \
    do {                                                               \
        const firn_mpm_##stage##_args args = firn_mpm_args_##stage(m); \
        m->ops->stage(&args);                                          \
    } while (0)

// The same, where nodes may be shared with other ranks.
#define RUN_SHARED(stage)             \
    do {                              \
        if (m->part != NULL)          \
            firn_mpm_part_##stage(m); \
        else                          \
            RUN(stage);               \
    } while (0)

static firn_result run_stage(void* self, int stage, firn_error* error)
{
    firn_mpm* m = self;
    switch ((firn_mpm_stage)stage) {
    case FIRN_MPM_00_PREPARE: return firn_mpm_prepare(m, error);
    case FIRN_MPM_01_RASTERIZE: RUN_SHARED(rasterize); break;
    case FIRN_MPM_02_VOLUMES: RUN(volumes); break;
    case FIRN_MPM_03_FORCES: RUN_SHARED(forces); break;
    case FIRN_MPM_FUSED_01_03: RUN_SHARED(fused_01_03); break;
    case FIRN_MPM_04_GRID_VELOCITY: RUN(grid_velocity); break;
    case FIRN_MPM_05_GRID_COLLIDE: RUN(grid_collide); return collide_lumps(m, error);
    case FIRN_MPM_06_SOLVE:
        FIRN_TRY(solve(m, error));
        firn_lumps_pose(&m->contacts->lumps, m->base.colliders);
        break;
    case FIRN_MPM_07_DEFORMATION: RUN(deformation); return look_for_faults(m, false, error);
    case FIRN_MPM_08_PARTICLE_VELOCITY: RUN(particle_velocity); break;
    case FIRN_MPM_09_PARTICLE_COLLIDE: RUN(particle_collide); break;
    case FIRN_MPM_10_ADVECT: RUN(advect); return look_for_faults(m, true, error);
    case FIRN_MPM_FUSED_07_10:
        RUN(fused_07_10);
        FIRN_TRY(look_for_faults(m, false, error));
        return look_for_faults(m, true, error);
    case FIRN_MPM_STAGE_COUNT: return FIRN_BROKEN_INTERNAL;
    }
    return FIRN_OK;
}

firn_stages firn_mpm_run_begin(firn_mpm* m, firn_error* error)
{
    m->iterations = 0;
    m->residual = 0;
    return firn_stages_begin(m, run_stage, error);
}

firn_result firn_mpm_run_end(firn_stages* run, firn_step_report* out_report)
{
    firn_mpm* m = run->self;
    *out_report = firn_report_begin(&m->base);
    out_report->iterations = m->iterations;
    out_report->residual = m->residual;
    out_report->active_blocks = m->grid.block_count;
    if (m->part != NULL) run->result = firn_mpm_part_end(m, run->result, out_report, run->error);
    if (run->result != FIRN_OK) return run->result;
    if (m->part == NULL) firn_report_add_ranks(out_report, m->sums, m->grid.occupied_count, NULL);
    if (m->implicit)
        m->dt_factor = firn_mpm_dt_learn(m->dt_factor, m->iterations, m->def.iterations_target);
    firn_mpm_choice_learn(&m->choice, m->iterations, m->base.dt * m->max_sound / m->def.cell,
                          m->base.dt >= m->base.dt_limit);
    if (m->part == NULL) firn_loads_end(&m->base.loads, m->base.colliders);
    firn_base_push_loads(&m->base);
    FIRN_TRY(firn_base_finish_bodies(&m->base, run->error));
    FIRN_TRY(firn_mpm_powder_step(m, run->error));
    m->base.step++;
    return FIRN_OK;
}
