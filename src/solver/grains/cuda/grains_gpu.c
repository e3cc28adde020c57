// SPDX-License-Identifier: MIT
// Grains on a device, host side: constants, temperatures, and conversion of records to reports and
// messages.
#include "solver/grains/cuda/grains_gpu.h"

#include <math.h>

#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "solver/grains/cuda/grains_cuda.h"
#include "solver/grains/support/grains_solver.h"
#include "solver/shared/device_run.h"

static firn_grains_settings settings_of(const firn_grains* m)
{
    const firn_scene_data* scene = m->base.scene;
    const firn_air_block* air = &scene->air;
    firn_grains_climate c = {.air = air->active ? air->temperature : NAN, .may_heat = m->may_heat};
    if (air->active) c.key_count = air->temperature_key_count;
    for (int32_t k = 0; k < c.key_count; k++) c.key[k] = air->temperature_keys[k];
    c.heats = c.key_count > 0 || !isnan(c.air);
    for (firn_local b = 0; b < m->base.collider_count; b++) {
        const firn_collider* body = &scene->colliders[b];
        c.heats |= !body->removed && !body->temperature_of_air && !isnan(body->temperature);
    }
    return (firn_grains_settings){c, scene->colliders};
}

static firn_result create(void* self, const firn_cuda_def* def, firn_device_sim** out_sim,
                          firn_error* error)
{
    firn_grains* m = self;
    const firn_grains_cuda_def own = {
        .constants = m->constants,
        .dt = firn_grains_dt_rules_of(m),
        .skin = m->skin,
        .settings = settings_of(m),
        .cull = firn_device_cull_of(m->base.scene),
    };
    return firn_cuda_sim_create(FIRN_CUDA_TABLE(firn_grains_kernels), def, &own, out_sim, error);
}

static double dt_expected(const void* self, double dt_scale)
{
    const firn_grains* m = self;
    const double usual = m->dt_usual * dt_scale;
    return m->base.dt > 0 ? fmin(m->base.dt, usual) : usual;
}

static firn_result change(void* self, firn_device_sim* sim, firn_error* error)
{
    const firn_grains_settings settings = settings_of(self);
    return sim->ops->change(sim, &settings, error);
}

static void report(const firn_grains_cuda_record* r, firn_step_report* out)
{
    const firn_device_record* base = &r->base;
    out->neighbours = r->neighbours;
    out->active_blocks = r->cell_count;
    if (base->end > FIRN_DEVICE_FRAME) return;  // it has not reached its end
    double* s = out->stage_seconds;
    s[FIRN_GRAINS_00_PREPARE] =
        firn_device_seconds(base, FIRN_GRAINS_STAMP_PREPARE, FIRN_GRAINS_STAMP_01);
    s[FIRN_GRAINS_01_NEIGHBOURS] =
        firn_device_seconds(base, FIRN_GRAINS_STAMP_01, FIRN_GRAINS_STAMP_02_06);
    s[FIRN_GRAINS_FUSED_02_06] =
        firn_device_seconds(base, FIRN_GRAINS_STAMP_02_06, FIRN_GRAINS_STAMP_END);
}

static firn_result fault(const firn_grains* m, const firn_grains_cuda_record* r, firn_error* error)
{
    const firn_device_record* base = &r->base;
    const firn_culprit culprit = firn_device_culprit(base);
    switch (base->end) {
    case FIRN_GRAINS_CUDA_LOST: return firn_grains_fault_lost(m, &culprit, error);
    case FIRN_GRAINS_CUDA_CROWDED: return firn_grains_fault_crowded(m, &culprit, error);
    case FIRN_GRAINS_CUDA_RUNAWAY: return firn_grains_fault_runaway(m, &culprit, error);
    default: return FIRN_OK;
    }
}

static firn_result accept(void* self, const void* record, firn_step_report* out, firn_error* error)
{
    firn_grains* m = self;
    const firn_grains_cuda_record* r = record;
    report(r, out);
    FIRN_TRY(fault(m, r, error));
    m->heat_gained += r->heat;
    return FIRN_OK;
}

static const firn_device_solver solver = {
    .batch_max = FIRN_GRAINS_CUDA_BATCH,
    .record_size = sizeof(firn_grains_cuda_record),
    .create = create,
    .dt_expected = dt_expected,
    .accept = accept,
    .change = change,
};

firn_result firn_grains_gpu_create(firn_grains* m, const firn_solver_args* args, firn_error* error)
{
    return firn_device_run_create(m, &solver, args, error);
}
