// SPDX-License-Identifier: MIT
// Host side of the ballistic solver on a device.
#include "scene/data/scene.h"
#include "solver/ballistic/ballistic.h"
#include "solver/ballistic/cuda/ballistic_cuda.h"
#include "solver/shared/base.h"

static firn_result create(void* self, const firn_cuda_def* def, firn_device_sim** out_sim,
                          firn_error* error)
{
    const firn_scene_data* scene = ((const firn_solver_base*)self)->scene;
    const double* g = scene->gravity;
    const firn_ballistic_cuda_def own = {
        .gravity = {g[0], g[1], g[2]},
        .dt = ((const firn_ballistic_def*)scene->solver_def)->dt,
        .cull = firn_device_cull_of(scene),
    };
    return firn_cuda_sim_create(FIRN_CUDA_TABLE(firn_ballistic_kernels), def, &own, out_sim, error);
}

static firn_result accept(void* self, const void* record, firn_step_report* report,
                          firn_error* error)
{
    (void)self;
    const firn_device_record* r = record;
    report->stage_seconds[0] = firn_device_seconds(r, 0, 1);
    if (r->end != FIRN_BALLISTIC_CUDA_NOT_FINITE) return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_DIVERGED, "step %lld: a velocity is not finite",
                     (long long)r->step);
}

static firn_result change(void* self, firn_device_sim* sim, firn_error* error)
{
    return sim->ops->change(sim, ((const firn_solver_base*)self)->scene->gravity, error);
}

const firn_device_solver firn_ballistic_device = {.batch_max = FIRN_BALLISTIC_CUDA_BATCH,
                                                  .record_size = sizeof(firn_device_record),
                                                  .create = create,
                                                  .accept = accept,
                                                  .change = change};
