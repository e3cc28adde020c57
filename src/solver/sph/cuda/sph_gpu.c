// SPDX-License-Identifier: MIT
// Implicit SPH on a device, host side: which scenes it computes, constants, samples of colliders,
// and conversion of records to reports and messages.
#include "solver/sph/cuda/sph_gpu.h"

#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "geometry/collider/collider_drive.h"
#include "scene/data/scene.h"
#include "solver/shared/device_run.h"
#include "solver/sph/cuda/sph_cuda.h"
#include "solver/sph/support/sph_fault.h"
#include "solver/sph/support/sph_run.h"
#include "solver/sph/support/sph_solver.h"

// ---- which scenes -------------------------------------------------------------------------------

static bool changes_scale(const firn_collider* c)
{
    for (firn_local k = 1; k < c->motion.key_count; k++)
        if (c->motion.keys[k].scale != c->motion.keys[0].scale) return true;
    return false;
}

// What the scene has that is not computed on a device yet, and what to change; null: nothing.
static const char* find_missing(const firn_sph* m, const char** out_instead)
{
    const firn_scene_data* scene = m->base.scene;
    *out_instead = "";
    if (m->fluids || m->changes) return "fluids and changes of phase";
    if (m->heats) return "temperatures";
    if (scene->emitter_count > 0) return "emitters";
    if (scene->air.active && scene->air.drag && scene->air.volume.velocities != NULL) {
        *out_instead = ", or set air.drag: false";
        return "wind from a volume";
    }
    if (m->def.pressure == FIRN_SPH_INCOMPRESSIBLE) return "sph.pressure: incompressible";
    if (firn_bodies_count(m->base.bodies) > 0) return "dynamic colliders";
    for (firn_local c = 0; c < m->base.collider_count; c++) {
        if (m->base.colliders[c].deforming != NULL) return "deforming colliders";
        if (changes_scale(&m->base.colliders[c])) return "colliders that change their scale";
    }
    return NULL;
}

static firn_result refuse_missing(const firn_sph* m, firn_error* error)
{
    const char* instead;
    const char* what = find_missing(m, &instead);
    if (what == NULL) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "this scene has %s, which solver sph does not compute on a GPU yet: use "
                     "backend cpu%s",
                     what, instead);
}

// ---- the device ---------------------------------------------------------------------------------

static firn_sph_settings settings_of(const firn_sph* m)
{
    const double* g = m->base.scene->gravity;
    const firn_air_block* air = &m->base.scene->air;
    const double* v = air->velocity;
    return (firn_sph_settings){.gravity = {g[0], g[1], g[2]},
                               .gravity_rise = m->def.gravity_rise,
                               .drags = air->active && air->drag,
                               .wind = {v[0], v[1], v[2]},
                               .gust_strength = air->gusts.strength,
                               .gust_length = air->gusts.length,
                               .gust_period = air->gusts.period,
                               .gust_seed = air->gusts.seed,
                               .air_density = (firn_real)air->density,
                               .air_viscosity = (firn_real)air->viscosity};
}

// Samples the surfaces near blocks, each by its middle: the surface is within reach of all cells
// that have their middle in the block.
static firn_result sample(void* self, const firn_sph_block* blocks, int count, double time,
                          firn_sph_cuda_samples* out, firn_error* error)
{
    firn_sph* m = self;
    m->base.time = time;
    FIRN_TRY(firn_base_move_colliders(&m->base, error));
    firn_vec3* near = firn_alloc((size_t)count + 1, sizeof *near);
    if (near == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    for (int k = 0; k < count; k++) {
        const firn_sph_block* b = &blocks[k];
        const firn_pose* pose = b->body >= 0 ? &m->base.colliders[b->body].pose : NULL;
        const double edge = FIRN_SPH_BLOCK * m->spacing / (pose != NULL ? (double)pose->scale : 1);
        const firn_vec3 middle =
            firn_v3((firn_real)((b->at[0] + 0.5) * edge), (firn_real)((b->at[1] + 0.5) * edge),
                    (firn_real)((b->at[2] + 0.5) * edge));
        near[k] = pose != NULL ? firn_pose_to_world(pose, middle) : middle;
    }
    const double reach = 0.5 * sqrt(3.0) * FIRN_SPH_BLOCK + FIRN_SPH_REACH + 0.1;  // 0.1: rounding
    bool changed;
    const firn_result r =
        firn_boundary_update(&m->boundary, m->base.colliders, &m->base.scene->shapes, near, count,
                             reach * m->spacing, &changed, error);
    firn_free(near);
    if (r != FIRN_OK) return r;
    const firn_boundary* b = &m->boundary;
    *out = (firn_sph_cuda_samples){b->own, b->own_normal, b->own_volume, b->body, b->count};
    return FIRN_OK;
}

static firn_result create(void* self, const firn_cuda_def* def, firn_device_sim** out_sim,
                          firn_error* error)
{
    firn_sph* m = self;
    const firn_sph_def* d = &m->def;
    FIRN_TRY(refuse_missing(m, error));
    const size_t bodies = (size_t)m->base.collider_count;
    firn_real* scales = firn_alloc(bodies + 1, sizeof *scales);
    if (scales == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    m->base.time = 0;
    firn_result r = firn_base_move_colliders(&m->base, error);
    for (size_t c = 0; c < bodies; c++) scales[c] = m->base.colliders[c].pose.scale;
    const firn_sph_cuda_def own = {
        .spacing = m->spacing,
        .settings = settings_of(m),
        .dt = firn_sph_dt_rules_of(m),
        .combined = d->elasticity == FIRN_SPH_COMBINED,
        .plastic = d->rest_density == FIRN_SPH_PLASTIC,
        .paper_clamp = d->clamp == FIRN_SPH_PAPER,
        .paper_contact = d->contact == FIRN_SPH_CONTACT_PAPER,
        .coulomb = d->contact == FIRN_SPH_COULOMB,
        .varied = m->varies,
        .psi = (firn_real)d->boundary_pressure,
        .relaxation = (firn_real)d->relaxation,
        .density_error = d->density_error,
        .pressure_iterations = (int)d->pressure_iterations,
        .shear_tolerance = d->shear_tolerance,
        .shear_iterations = (int)d->shear_iterations,
        .materials = m->materials,
        .material_count = m->material_count,
        .scales = scales,
        .cull = firn_device_cull_of(m->base.scene),
        .sample = sample,
        .self = m,
    };
    if (r == FIRN_OK)
        r = firn_cuda_sim_create(FIRN_CUDA_TABLE(firn_sph_kernels), def, &own, out_sim, error);
    firn_free(scales);
    return r;
}

static void plan(void* self, firn_device_batch* batch)
{
    batch->carried[FIRN_SPH_CARRIED_DT_FACTOR] = ((const firn_sph*)self)->dt_factor;
}

static void report(const firn_sph* m, const firn_sph_cuda_record* r, firn_step_report* out)
{
    const firn_device_record* base = &r->base;
    out->iterations = r->pressure_iterations;
    out->residual = r->pressure_error;
    out->shear_iterations = r->shear_iterations;
    out->neighbours = r->neighbours;
    out->active_blocks = r->cell_count;
    out->elastic = r->elastic;
    if (base->count > 0 && r->plastic_max > 0) {
        out->plastic_min = r->plastic_min;
        out->plastic_max = r->plastic_max;
    }
    if (base->end > FIRN_DEVICE_FRAME) return;  // it has not reached its end
    (void)m;
    double* s = out->stage_seconds;
    s[FIRN_SPH_00_PREPARE] = firn_device_seconds(base, FIRN_SPH_STAMP_PREPARE, FIRN_SPH_STAMP_01);
    s[FIRN_SPH_01_REST_DENSITY] = firn_device_seconds(base, FIRN_SPH_STAMP_01, FIRN_SPH_STAMP_02);
    s[FIRN_SPH_02_GRADIENT_CORRECTION] =
        firn_device_seconds(base, FIRN_SPH_STAMP_02, FIRN_SPH_STAMP_03_04);
    s[FIRN_SPH_03_OTHER_ACCELERATIONS] =
        firn_device_seconds(base, FIRN_SPH_STAMP_03_04, FIRN_SPH_STAMP_05);
    s[FIRN_SPH_05_PRESSURE] = firn_device_seconds(base, FIRN_SPH_STAMP_05, FIRN_SPH_STAMP_06);
    s[FIRN_SPH_06_SHEAR] = firn_device_seconds(base, FIRN_SPH_STAMP_06, FIRN_SPH_STAMP_07_09);
    s[FIRN_SPH_08_DEFORMATION] =
        firn_device_seconds(base, FIRN_SPH_STAMP_07_09, FIRN_SPH_STAMP_END);
}

static firn_result fault(const firn_sph* m, const firn_sph_cuda_record* r, firn_error* error)
{
    const firn_culprit culprit = firn_device_culprit(&r->base);
    switch (r->base.end) {
    case FIRN_SPH_CUDA_LOST: return firn_sph_fault_lost(m, &culprit, error);
    case FIRN_SPH_CUDA_CROWDED: return firn_sph_fault_crowded(m, &culprit, error);
    case FIRN_SPH_CUDA_RUNAWAY: return firn_sph_fault_runaway(m, &culprit, error);
    case FIRN_SPH_CUDA_PRESSURE:
        return firn_sph_fault_solve(m, "pressure", r->pressure_iterations, r->pressure_error, NULL,
                                    error);
    case FIRN_SPH_CUDA_SHEAR:
        return firn_sph_fault_solve(m, "shear", r->shear_iterations, r->shear_residual, NULL,
                                    error);
    default: return FIRN_OK;
    }
}

static firn_result accept(void* self, const void* record, firn_step_report* out, firn_error* error)
{
    firn_sph* m = self;
    const firn_sph_cuda_record* r = record;
    m->pressure_iterations = r->pressure_iterations;
    m->shear_iterations = r->shear_iterations;
    report(m, r, out);
    if (r->base.end <= FIRN_DEVICE_FRAME) {
        if (r->pressure_iterations == m->def.pressure_iterations)
            firn_sph_warn(m, "pressure", r->pressure_iterations, r->pressure_error,
                          m->def.density_error);
        if (!r->shear_converged)
            firn_sph_warn(m, "shear", r->shear_iterations, r->shear_residual,
                          m->def.shear_tolerance);
    }
    FIRN_TRY(fault(m, r, error));
    m->dt_factor = r->base.carried[FIRN_SPH_CARRIED_DT_FACTOR];
    return FIRN_OK;
}

static firn_result change(void* self, firn_device_sim* sim, firn_error* error)
{
    firn_sph* m = self;
    FIRN_TRY(refuse_missing(m, error));
    const firn_sph_settings settings = settings_of(m);
    return sim->ops->change(sim, &settings, error);
}

static const firn_device_solver solver = {
    .batch_max = FIRN_SPH_CUDA_BATCH,
    .record_size = sizeof(firn_sph_cuda_record),
    .create = create,
    .plan = plan,
    .accept = accept,
    .change = change,
};

firn_result firn_sph_gpu_create(firn_sph* m, const firn_solver_args* args, firn_error* error)
{
    if (args->device >= 0) FIRN_TRY(refuse_missing(m, error));
    return firn_device_run_create(m, &solver, args, error);
}
