// SPDX-License-Identifier: MIT
// A step's record as a row of the statistics, and as a sentence when it failed.
#include "solver/grains/cuda/grains_gpu_report.h"

#include "solver/grains/support/grains_solver.h"

static double seconds(const firn_grains_cuda_record* r, int from, int to)
{
    return r->stamp[to] >= r->stamp[from] ? 1e-9 * (double)(r->stamp[to] - r->stamp[from]) : 0;
}

void firn_grains_gpu_report(const firn_grains* m, const firn_grains_cuda_record* r,
                            firn_local before, firn_step_report* out)
{
    *out = (firn_step_report){.step = r->step,
                              .time = r->time,
                              .dt = m->base.dt,
                              .neighbours = r->neighbours,
                              .momentum = {r->momentum[0], r->momentum[1], r->momentum[2]},
                              .kinetic = r->kinetic,
                              .potential = r->potential,
                              .max_speed = r->max_speed,
                              .plastic_min = 1,
                              .plastic_max = 1,
                              .particle_count = r->count,
                              .culled = before - r->count,
                              .active_blocks = r->cell_count};
    if (r->end > FIRN_GRAINS_CUDA_FRAME) return;  // it has not come to its end
    out->stage_seconds[FIRN_GRAINS_00_PREPARE] =
        seconds(r, FIRN_GRAINS_STAMP_PREPARE, FIRN_GRAINS_STAMP_01);
    out->stage_seconds[FIRN_GRAINS_01_NEIGHBOURS] =
        seconds(r, FIRN_GRAINS_STAMP_01, FIRN_GRAINS_STAMP_02_06);
    out->stage_seconds[FIRN_GRAINS_FUSED_02_06] =
        seconds(r, FIRN_GRAINS_STAMP_02_06, FIRN_GRAINS_STAMP_END);
}

firn_result firn_grains_gpu_fault(const firn_grains* m, const firn_grains_cuda_record* r,
                                  firn_error* error)
{
    const firn_culprit culprit = {r->fault_id, r->fault_material, r->fault_position,
                                  r->fault_velocity, r->fault_radius};
    switch ((firn_grains_cuda_end)r->end) {
    case FIRN_GRAINS_CUDA_LOST: return firn_grains_fault_lost(m, &culprit, error);
    case FIRN_GRAINS_CUDA_CROWDED: return firn_grains_fault_crowded(m, &culprit, error);
    case FIRN_GRAINS_CUDA_RUNAWAY: return firn_grains_fault_runaway(m, &culprit, error);
    case FIRN_GRAINS_CUDA_GOES_ON:
    case FIRN_GRAINS_CUDA_FRAME: return FIRN_OK;
    case FIRN_GRAINS_CUDA_ENOUGH:
    case FIRN_GRAINS_CUDA_ROOM: break;
    }
    return firn_fail(error, FIRN_BROKEN_INTERNAL, "step %lld ended in a way that is unknown (%d)",
                     (long long)r->step, (int)r->end);
}
