// SPDX-License-Identifier: MIT
// A step's record as a row of the statistics, and as a sentence when it failed.
#include "solver/mpm/cuda/mpm_gpu_report.h"

#include "solver/mpm/support/mpm_fault.h"

static double seconds(const firn_mpm_cuda_record* r, int from, int to)
{
    return r->stamp[to] >= r->stamp[from] ? 1e-9 * (double)(r->stamp[to] - r->stamp[from]) : 0;
}

void firn_mpm_gpu_report(const firn_mpm* m, const firn_mpm_cuda_record* r, firn_local alive_before,
                         firn_step_report* out)
{
    *out = (firn_step_report){.step = r->step,
                              .time = r->time,
                              .dt = m->base.dt,
                              .iterations = r->iterations,
                              .residual = r->residual,
                              .momentum = {r->momentum[0], r->momentum[1], r->momentum[2]},
                              .kinetic = r->kinetic,
                              .elastic = r->elastic,
                              .potential = r->potential,
                              .max_speed = r->max_speed,
                              .plastic_min = r->alive > 0 ? r->plastic_min : 1,
                              .plastic_max = r->alive > 0 ? r->plastic_max : 1,
                              .particle_count = r->alive,
                              .culled = alive_before - r->alive,
                              .active_blocks = r->block_count};
    out->stage_seconds[FIRN_MPM_00_PREPARE] = seconds(r, FIRN_STAMP_SORT, FIRN_STAMP_01_03);
    out->stage_seconds[FIRN_MPM_FUSED_01_03] = seconds(r, FIRN_STAMP_01_03, FIRN_STAMP_04_05);
    out->stage_seconds[FIRN_MPM_04_GRID_VELOCITY] =
        seconds(r, FIRN_STAMP_04_05, m->implicit ? FIRN_STAMP_06 : FIRN_STAMP_07_10);
    if (m->implicit)
        out->stage_seconds[FIRN_MPM_06_SOLVE] = seconds(r, FIRN_STAMP_06, FIRN_STAMP_07_10);
    out->stage_seconds[FIRN_MPM_FUSED_07_10] = seconds(r, FIRN_STAMP_07_10, FIRN_STAMP_END);
}

firn_result firn_mpm_gpu_fault(const firn_mpm* m, const firn_mpm_cuda_record* r, firn_error* error)
{
    const firn_culprit culprit = {r->fault_id, r->fault_material, r->fault_position,
                                  r->fault_velocity, (double)r->fault_plastic_det};
    switch ((firn_mpm_cuda_end)r->end) {
    case FIRN_MPM_CUDA_LOST: return firn_mpm_fault_lost(m, &culprit, error);
    case FIRN_MPM_CUDA_SOLVE: return firn_mpm_fault_solve(m, r->stalled != 0, error);
    case FIRN_MPM_CUDA_INVERTED: return firn_mpm_fault_inverted(m, &culprit, error);
    case FIRN_MPM_CUDA_RUNAWAY: return firn_mpm_fault_runaway(m, &culprit, error);
    case FIRN_MPM_CUDA_GOES_ON:
    case FIRN_MPM_CUDA_FRAME: return FIRN_OK;
    case FIRN_MPM_CUDA_ENOUGH:
    case FIRN_MPM_CUDA_ROOM: break;
    }
    return firn_fail(error, FIRN_BROKEN_INTERNAL, "step %lld ended in a way that is unknown (%d)",
                     (long long)r->step, (int)r->end);
}
