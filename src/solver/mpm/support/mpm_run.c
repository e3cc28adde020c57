// SPDX-License-Identifier: MIT
// Running the stages of a step: arguments (mpm_args.c), clock, faults, report.
#include "solver/mpm/support/mpm_run.h"

#include <math.h>
#include <string.h>

#include "core/timer.h"
#include "solver/mpm/support/mpm_args.h"
#include "solver/mpm/support/mpm_cpu.h"
#include "solver/mpm/support/mpm_fault.h"

firn_mpm_run firn_mpm_run_begin(firn_mpm* m, firn_error* error)
{
    memset(m->stage_seconds, 0, sizeof m->stage_seconds);
    m->iterations = 0;
    m->residual = 0;
    return (firn_mpm_run){m, FIRN_OK, error, 0};
}

void firn_mpm_run_prepare(firn_mpm_run* run, double time, double dt_limit, double dt_scale)
{
    const double start = firn_seconds();
    run->dt_limit = dt_limit;
    run->result = firn_mpm_prepare(run->m, time, dt_limit, dt_scale, run->error);
    run->m->stage_seconds[FIRN_MPM_00_PREPARE] = firn_seconds() - start;
}

static firn_result solve(firn_mpm* m, firn_error* error)
{
    if (!m->implicit) return FIRN_OK;
    const firn_mpm_solve_args args = firn_mpm_args_solve(m);
    const firn_cr_result r =
        m->ops->solve_simd != NULL ? m->ops->solve_simd(&args) : m->ops->solve(&args);
    m->iterations = r.iterations;
    m->residual = r.residual;
    if (r.residual < FIRN_MPM_RESIDUAL_ACCEPTED) return FIRN_OK;
    return firn_mpm_fault_solve(m, r.reason == FIRN_CR_STALLED, error);
}

static firn_result look_for_faults(const firn_mpm* m, bool after_advect, firn_error* error)
{
    for (firn_local b = 0; b < m->grid.occupied_count; b++) {
        const firn_local p = after_advect ? m->faults[b].runaway : m->faults[b].inverted;
        if (p < 0) continue;
        const firn_mpm_culprit culprit = firn_mpm_culprit_of(m, p);
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

static firn_result run_stage(firn_mpm* m, firn_mpm_stage stage, firn_error* error)
{
    switch (stage) {
    case FIRN_MPM_01_RASTERIZE: RUN(rasterize); break;
    case FIRN_MPM_02_VOLUMES: RUN(volumes); break;
    case FIRN_MPM_03_FORCES: RUN(forces); break;
    case FIRN_MPM_FUSED_01_03: RUN(fused_01_03); break;
    case FIRN_MPM_04_GRID_VELOCITY: RUN(grid_velocity); break;
    case FIRN_MPM_05_GRID_COLLIDE: RUN(grid_collide); break;
    case FIRN_MPM_06_SOLVE: return solve(m, error);
    case FIRN_MPM_07_DEFORMATION: RUN(deformation); return look_for_faults(m, false, error);
    case FIRN_MPM_08_PARTICLE_VELOCITY: RUN(particle_velocity); break;
    case FIRN_MPM_09_PARTICLE_COLLIDE: RUN(particle_collide); break;
    case FIRN_MPM_10_ADVECT: RUN(advect); return look_for_faults(m, true, error);
    case FIRN_MPM_FUSED_07_10:
        RUN(fused_07_10);
        FIRN_TRY(look_for_faults(m, false, error));
        return look_for_faults(m, true, error);
    case FIRN_MPM_00_PREPARE:
    case FIRN_MPM_STAGE_COUNT: return FIRN_BROKEN_INTERNAL;
    }
    return FIRN_OK;
}

void firn_mpm_run_stage(firn_mpm_run* run, firn_mpm_stage stage)
{
    if (run->result != FIRN_OK) return;
    const double start = firn_seconds();
    run->result = run_stage(run->m, stage, run->error);
    run->m->stage_seconds[stage] += firn_seconds() - start;
}

static void add_sums(const firn_mpm* m, firn_step_report* out)
{
    out->plastic_min = out->plastic_max = 1;
    for (firn_local b = 0; b < m->grid.occupied_count; b++) {
        const firn_mpm_sums* s = &m->sums[b];
        for (int d = 0; d < 3; d++) out->momentum[d] += s->momentum[d];
        out->kinetic += s->kinetic;
        out->potential += s->potential;
        out->elastic += s->elastic;
        out->plastic_min = b == 0 ? s->plastic_min : fmin(out->plastic_min, s->plastic_min);
        out->plastic_max = b == 0 ? s->plastic_max : fmax(out->plastic_max, s->plastic_max);
    }
}

firn_result firn_mpm_run_end(firn_mpm_run* run, firn_step_report* out_report)
{
    firn_mpm* m = run->m;
    *out_report = (firn_step_report){.step = m->step,
                                     .time = m->time,
                                     .dt = m->dt,
                                     .iterations = m->iterations,
                                     .residual = m->residual,
                                     .max_speed = m->max_speed,
                                     .particle_count = m->p.count,
                                     .culled = m->culled,
                                     .active_blocks = m->grid.block_count};
    memcpy(out_report->stage_seconds, m->stage_seconds, sizeof m->stage_seconds);
    if (run->result != FIRN_OK) return run->result;
    add_sums(m, out_report);
    if (m->implicit)
        m->dt_factor = firn_mpm_dt_learn(m->dt_factor, m->iterations, m->def.iterations_target);
    firn_mpm_choice_learn(&m->choice, m->iterations, m->dt * m->max_sound / m->def.cell,
                          m->dt >= run->dt_limit);
    m->step++;
    return FIRN_OK;
}
