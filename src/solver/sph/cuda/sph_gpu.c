// SPDX-License-Identifier: MIT
// Implicit SPH on a device, host side: constants, samples of colliders, and conversion of records
// to reports and messages.
#include "solver/sph/cuda/sph_gpu.h"

#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "geometry/collider/collider_drive.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/flakes.h"
#include "solver/shared/device_run.h"
#include "solver/sph/cuda/sph_climate.h"
#include "solver/sph/cuda/sph_cuda.h"
#include "solver/sph/laws/heat.h"
#include "solver/sph/laws/sampled_scale.h"
#include "solver/sph/laws/viscosity.h"
#include "solver/sph/rigid/sph_lumps.h"
#include "solver/sph/step10_heat.h"
#include "solver/sph/step11_phases.h"
#include "solver/sph/support/sph_fault.h"
#include "solver/sph/support/sph_run.h"
#include "solver/sph/support/sph_solver.h"

// ---- the device ---------------------------------------------------------------------------------

// Null: no temperatures.
static const firn_sph_climate* climate_of(const firn_sph* m, firn_sph_climate* out)
{
    const firn_scene_data* scene = m->base.scene;
    const firn_air_block* air = &scene->air;
    if (!m->heats) return NULL;
    *out = (firn_sph_climate){.air = air->active ? air->temperature : NAN,
                              .key_count = air->active ? air->temperature_key_count : 0,
                              .transfer = (firn_real)air->heat_transfer,
                              .limit = firn_sph_heat_limit(scene, 0, (firn_real)m->spacing),
                              .speed = m->def.heat_speed};
    for (int32_t k = 0; k < out->key_count; k++) out->key[k] = air->temperature_keys[k];
    return out;
}

static firn_sph_settings settings_of(const firn_sph* m, const firn_sph_climate* climate)
{
    return (firn_sph_settings){.gravity_rise = m->def.gravity_rise,
                               .air = firn_device_air_of(m->base.scene),
                               .climate = climate};
}

// Samples the surfaces near blocks, each by its middle: the surface is within reach of all cells
// that have their middle in the block. Deforming colliders are sampled as a whole.
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
        const firn_collider* body = b->body >= 0 ? &m->base.colliders[b->body] : NULL;
        const double edge =
            FIRN_SPH_BLOCK * m->spacing / (body != NULL ? firn_sph_sampled_scale(body) : 1);
        const firn_vec3 middle =
            firn_v3((firn_real)((b->at[0] + 0.5) * edge), (firn_real)((b->at[1] + 0.5) * edge),
                    (firn_real)((b->at[2] + 0.5) * edge));
        near[k] = body != NULL ? firn_pose_to_world(&body->pose, middle) : middle;
    }
    // 3 %: the scale may differ that much from the sampled one; 0.1: rounding
    const double reach = 1.03 * (0.5 * sqrt(3.0) * FIRN_SPH_BLOCK + FIRN_SPH_REACH) + 0.1;
    bool changed;
    const firn_result r =
        firn_boundary_update(&m->boundary, m->base.colliders, &m->base.scene->shapes, near, count,
                             reach * m->spacing, &changed, error);
    firn_free(near);
    if (r != FIRN_OK) return r;
    const firn_boundary* b = &m->boundary;
    *out = (firn_sph_cuda_samples){b, b->own, b->own_normal, b->own_volume, b->body, b->count};
    return FIRN_OK;
}

static void emitter_of(void* self, firn_local k, firn_device_emitter* out)
{
    const firn_sph* m = self;
    const firn_scene_data* scene = m->base.scene;
    const firn_emitter* e = &scene->emitters[k];
    firn_device_emitter_fill(scene, k, m->spacing, out);
    if (!m->heats) return;
    const firn_sph_material* mat = &m->materials[e->material];
    firn_snow_warmth begins = {(firn_real)e->temperature, 0};
    if (mat->heat != FIRN_HEAT_WARMS)
        begins = firn_sph_warmth_at(mat, scene->materials[e->material].snow.heat_capacity,
                                    begins.temperature);
    out->temperature = begins.temperature;
    out->water = begins.water;
}

static firn_result begin_step(void* self, double time, double dt, bool last,
                              firn_sph_cuda_lumps* out, firn_error* error)
{
    firn_sph* m = self;
    firn_solver_base* base = &m->base;
    base->time = time;
    base->dt = last ? base->dt_limit : dt;
    firn_sph_take_gravity(m);
    firn_bodies_begin(base->bodies, base->colliders, &base->scene->shapes, m->gravity, time,
                      base->dt);
    m->contact_count = 0;  // those of the device
    if (firn_sph_lumps_begin(m) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for dynamic colliders");
    const firn_sph_lumps* s = m->lumps;
    *out = (firn_sph_cuda_lumps){&s->lumps, (const double(*)[6])s->first, base->loads.center};
    return FIRN_OK;
}

// Arrays that are copied to the device.
typedef struct tables {
    firn_snow_material* snow;   // [materials]
    firn_sph_becomes* becomes;  // [materials]
} tables;

static void free_tables(tables* t)
{
    firn_free(t->snow);
    firn_free(t->becomes);
}

static firn_result fill_tables(firn_sph* m, tables* t, firn_error* error)
{
    const size_t materials = (size_t)m->material_count;
    t->snow = firn_alloc(materials + 1, sizeof *t->snow);
    t->becomes = firn_alloc(materials + 1, sizeof *t->becomes);
    if (t->snow == NULL || t->becomes == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    for (size_t k = 0; k < materials; k++) {
        t->snow[k] = m->base.scene->materials[k].snow;
        t->becomes[k] = firn_sph_becomes_of(&m->base.scene->materials[k].becomes);
    }
    return FIRN_OK;
}

static firn_result make_tables(firn_sph* m, tables* t, firn_error* error)
{
    const firn_result r = fill_tables(m, t, error);
    if (r != FIRN_OK) free_tables(t);
    return r;
}

static firn_result create(void* self, const firn_cuda_def* def, firn_device_sim** out_sim,
                          firn_error* error)
{
    firn_sph* m = self;
    const firn_sph_def* d = &m->def;
    tables t = {0};
    FIRN_TRY(make_tables(m, &t, error));
    firn_sph_climate climate;
    m->boundary.deforming_everywhere = true;
    const firn_sph_cuda_def own = {
        .spacing = m->spacing,
        .settings = settings_of(m, climate_of(m, &climate)),
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
        .fluids = m->fluids,
        .incompressible = d->pressure == FIRN_SPH_INCOMPRESSIBLE,
        .coheres = m->coheres,
        .boundary_volume = (firn_real)d->boundary_volume,
        .heats = m->heats,
        .warmth = m->heats || m->changes,
        .materials = m->materials,
        .snow = t.snow,
        .becomes = m->changes ? t.becomes : NULL,
        .material_count = m->material_count,
        .boundary_depth = m->boundary.depth,
        .boundary_factor = m->boundary.factor,
        .cull = firn_device_cull_of(m->base.scene),
        .sample = sample,
        .begin_bodies = firn_bodies_count(m->base.bodies) > 0 ? begin_step : NULL,
        .wind = m->base.scene->air.volume.velocities,
        .emitter_count = m->base.scene->emitter_count,
        .emitter_of = emitter_of,
        .self = m,
    };
    const firn_result r =
        firn_cuda_sim_create(FIRN_CUDA_TABLE(firn_sph_kernels), def, &own, out_sim, error);
    free_tables(&t);
    return r;
}

static void plan(void* self, firn_device_batch* batch)
{
    const firn_sph* m = self;
    batch->carried[FIRN_SPH_CARRIED_DT_FACTOR] = m->dt_factor;
    batch->carried[FIRN_SPH_CARRIED_NEXT_ID] = m->next_id;
    batch->carried[FIRN_SPH_CARRIED_EMITTED_UNTIL] = firn_flakes_until(m->base.scene, m->emitted);
}

static int64_t arrivals(const void* self, double time)
{
    const firn_sph* m = self;
    return firn_flakes_due(m->base.scene, m->emitted, time);
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
    case FIRN_SPH_CUDA_VISCOSITY:
        return firn_sph_fault_solve(m, "viscosity", r->viscosity_iterations, r->viscosity_residual,
                                    NULL, error);
    case FIRN_SPH_CUDA_SHEAR:
        return firn_sph_fault_solve(m, "shear", r->shear_iterations, r->shear_residual, NULL,
                                    error);
    case FIRN_SPH_CUDA_NO_PLACE: return firn_flakes_no_place((firn_local)culprit.value, error);
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
                          r->pressure_goal);
        if (m->fluids && !r->viscosity_converged)
            firn_sph_warn(m, "viscosity", r->viscosity_iterations, r->viscosity_residual,
                          FIRN_SPH_VISCOSITY_TOLERANCE);
        if (!r->shear_converged)
            firn_sph_warn(m, "shear", r->shear_iterations, r->shear_residual,
                          m->def.shear_tolerance);
    }
    FIRN_TRY(fault(m, r, error));
    m->dt_factor = r->base.carried[FIRN_SPH_CARRIED_DT_FACTOR];
    firn_device_take_flakes(m->base.scene, &r->base, r->base.carried[FIRN_SPH_CARRIED_NEXT_ID],
                            &m->next_id, m->emitted, out);
    return FIRN_OK;
}

static firn_result change(void* self, firn_device_sim* sim, firn_error* error)
{
    firn_sph* m = self;
    firn_sph_climate climate;
    const firn_sph_settings settings = settings_of(m, climate_of(m, &climate));
    return sim->ops->change(sim, &settings, error);
}

// The length of a step depends on boundary particles: the device finds it, and the engine begins in
// the middle of the launch (begin_step).
static firn_result begin_bodies(void* self, firn_device_batch* batch, const firn_lumps** out_lumps,
                                firn_error* error)
{
    (void)self;
    (void)batch;
    (void)error;
    *out_lumps = NULL;
    return FIRN_OK;
}

static const firn_device_solver solver = {
    .batch_max = FIRN_SPH_CUDA_BATCH,
    .record_size = sizeof(firn_sph_cuda_record),
    .create = create,
    .plan = plan,
    .arrivals = arrivals,
    .accept = accept,
    .begin_bodies = begin_bodies,
    .change = change,
};

// As design/0025 counts it from the arrays. Particles near colliders take 270 more.
double firn_sph_device_bytes(const firn_scene_data* scene)
{
    const bool warms = firn_scene_heats(scene) || firn_sph_has_changes(scene);
    return 673 + (firn_scene_varies(scene) ? 32 : 0) + (firn_sph_has_fluids(scene) ? 28 : 0) +
           (scene->emitter_count > 0 ? 8 : 0) + (warms ? 32 : 0);
}

firn_result firn_sph_gpu_create(firn_sph* m, const firn_solver_args* args, firn_error* error)
{
    return firn_device_run_create(m, &solver, args, error);
}
