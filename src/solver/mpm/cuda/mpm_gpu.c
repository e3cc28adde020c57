// SPDX-License-Identifier: MIT
// The material point method on a device, host side: constants, choice of the integrator, and
// conversion of records to reports and messages.
#include "solver/mpm/cuda/mpm_gpu.h"

#include <math.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/run/flake.h"
#include "scene/run/flakes.h"
#include "solver/mpm/cuda/mpm_cuda.h"
#include "solver/mpm/outside/mpm_emit.h"
#include "solver/mpm/outside/mpm_powder.h"
#include "solver/mpm/rigid/mpm_contacts.h"
#include "solver/mpm/support/mpm_fault.h"
#include "solver/mpm/support/mpm_solver.h"

static void emitter_of(void* self, firn_local k, firn_device_emitter* out)
{
    const firn_scene_data* scene = ((const firn_mpm*)self)->base.scene;
    firn_device_emitter_fill(scene, k, firn_mpm_flake(scene), out);
}

static firn_mpm_powder_def powder_of(const firn_mpm* m)
{
    const firn_powder_block* p = &m->base.scene->powder;
    firn_mpm_powder_def out = {0};
    if (m->powder == NULL) return out;
    return (firn_mpm_powder_def){firn_powder_law_of(p), firn_powder_tick_least(p->tick),
                                 (firn_local)p->max, (firn_real)firn_mpm_flake(m->base.scene)};
}

// Null: no material has keys. Free it.
static firn_result find_material_defs(const firn_mpm* m, firn_mpm_material_def** out,
                                      firn_error* error)
{
    *out = NULL;
    if (!m->keyed) return FIRN_OK;
    firn_mpm_material_def* defs = firn_alloc((size_t)m->material_count, sizeof *defs);
    if (defs == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    for (firn_local k = 0; k < m->material_count; k++) defs[k] = firn_mpm_material_def_of(m, k);
    *out = defs;
    return FIRN_OK;
}

static firn_result create(void* self, const firn_cuda_def* def, firn_device_sim** out_sim,
                          firn_error* error)
{
    firn_mpm* m = self;
    const firn_mpm_def* d = &m->def;
    firn_mpm_material_def* material_defs;
    FIRN_TRY(find_material_defs(m, &material_defs, error));
    const firn_mpm_cuda_def own = {
        .cell = m->grid.cell,
        .air = firn_device_air_of(m->base.scene),
        .wind = m->base.scene->air.volume.velocities,
        .mass_min = m->mass_min,
        .lightest = (firn_real)m->lightest,
        .weighs = d->volumes == FIRN_MPM_VOLUMES_GRID,
        .spline = d->spline,
        .at_surface = d->contact == FIRN_MPM_CONTACT_SURFACE,
        .affine = d->transfer == FIRN_MPM_APIC,
        .clays = m->clays,
        .varied = m->varies,
        .diagonal = d->preconditioner == FIRN_MPM_PRECONDITIONER_DIAGONAL,
        .may_solve = d->integrator != FIRN_MPM_EXPLICIT && d->beta > 0,
        .inertial = d->guess == FIRN_MPM_GUESS_INERTIAL,
        .flip = d->flip,
        .beta = d->beta,
        .grip = m->holds ? d->grip : 0,
        .time_scale = m->ages ? m->base.scene->ageing.time_scale : 0,
        .dt = firn_mpm_dt_rules_of(d),
        .tolerance = d->tolerance,
        .speed_floor = d->speed_floor,
        .max_iterations = (int)d->max_iterations,
        .iterations_target = (int)d->iterations_target,
        .materials = m->materials,
        .material_defs = material_defs,
        .material_count = m->material_count,
        .cull = firn_device_cull_of(m->base.scene),
        .rigid = firn_bodies_count(m->base.bodies) > 0,
        .powder = powder_of(m),
        .emitter_count = m->base.scene->emitter_count,
        .emitter_of = emitter_of,
        .self = m,
    };
    const firn_result r =
        firn_cuda_sim_create(FIRN_CUDA_TABLE(firn_mpm_kernels), def, &own, out_sim, error);
    firn_free(material_defs);
    return r;
}

// Chooses the integrator of the batch.
static void plan(void* self, firn_device_batch* batch)
{
    firn_mpm* m = self;
    m->base.time = batch->time;
    m->base.max_speed = batch->carried[FIRN_MPM_CARRIED_SPEED];
    m->max_sound = batch->carried[FIRN_MPM_CARRIED_SOUND];
    if (m->keyed) firn_mpm_take_materials(m, batch->time);
    m->implicit = m->def.beta > 0 && (m->def.integrator == FIRN_MPM_SEMI_IMPLICIT ||
                                      (m->def.integrator == FIRN_MPM_AUTO && m->choice.implicit));
    if (m->def.integrator == FIRN_MPM_AUTO && m->choice.frame_begins != 0) firn_mpm_choose_now(m);
    batch->variant = m->implicit ? 1 : 0;
    batch->carried[FIRN_MPM_CARRIED_DT_FACTOR] = m->dt_factor;
    if (m->powder != NULL) batch->carried[FIRN_MPM_CARRIED_TICK] = m->powder->clock.time;
    if (m->base.scene->emitter_count == 0) return;
    firn_mpm_find_next_id(m);
    batch->carried[FIRN_MPM_CARRIED_NEXT_ID] = m->next_id;
    batch->carried[FIRN_MPM_CARRIED_EMITTED_UNTIL] = firn_flakes_until(m->base.scene, m->emitted);
}

static int64_t arrivals(const void* self, double time)
{
    const firn_mpm* m = self;
    return firn_flakes_due(m->base.scene, m->emitted, time);
}

// [m/s] of the collider that emitter k moves with, anywhere in the emitter's shape; 0: none.
static double carrier_speed(const firn_scene_data* scene, const firn_emitter* e, double time)
{
    if (e->follow1 <= 0 || e->follow1 > scene->collider_count) return 0;
    const firn_motion* motion = &scene->colliders[e->follow1 - 1].motion;
    const firn_box3 box = firn_shape_bounds(&scene->shapes, e->shape);
    double most = 0;  // at one of its corners
    for (int k = 0; k < 8; k++) {
        firn_vec3 x = firn_v3(k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y,
                              k & 4 ? box.high.z : box.low.z);
        firn_vec3 v = firn_v3(0, 0, 0);
        firn_flake_carry(motion, time, &x, &v);
        most = fmax(most, (double)firn_v3_length(v));
    }
    return most;
}

// Flakes that appear at the start of the step, which the device's speeds do not have yet.
static void meet_flakes(const firn_mpm* m, double time, double* speed, double* sound)
{
    const firn_scene_data* scene = m->base.scene;
    for (firn_local k = 0; k < scene->emitter_count; k++) {
        const firn_emitter* e = &scene->emitters[k];
        const double* v = e->velocity;
        if (firn_emitter_due(e, time) <= m->emitted[k]) continue;
        const double most = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + fabs(e->speed) +
                            carrier_speed(scene, e, time) +
                            6 * e->spread;  // of a hundred million flakes one is faster
        *speed = fmax(*speed, most);
        *sound = fmax(*sound, sqrt((double)m->materials[e->material].sound_squared / m->lightest));
    }
}

// The length of a step is the host's here, because the engine needs it before the snow moves. The
// device's speeds are those after its last step.
static firn_result begin_bodies(void* self, firn_device_batch* batch, const firn_lumps** out_lumps,
                                firn_error* error)
{
    firn_mpm* m = self;
    firn_lumps* lumps = &m->contacts->lumps;
    const firn_mpm_dt_rules rules = firn_mpm_dt_rules_of(&m->def);
    double speed = fmax(m->base.max_speed, firn_base_body_speed(&m->base)), sound = m->max_sound;
    meet_flakes(m, batch->time, &speed, &sound);
    const firn_mpm_dt_facts facts = {.implicit = m->implicit,
                                     .speed = speed,
                                     .sound = sound,
                                     .factor = m->dt_factor,
                                     .scale = batch->dt_scale,
                                     .left = batch->frame_time - batch->time};
    bool last;
    batch->dt = firn_mpm_dt_choose(&rules, &facts, &last);
    m->base.dt = last ? m->base.dt_limit : batch->dt;
    firn_base_begin_bodies(&m->base);
    if (firn_lumps_begin(lumps, &m->base) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for dynamic colliders");
    *out_lumps = lumps;
    return FIRN_OK;
}

static void report(const firn_mpm* m, const firn_mpm_cuda_record* r, firn_step_report* out)
{
    const firn_device_record* base = &r->base;
    out->iterations = r->iterations;
    out->residual = r->residual;
    out->elastic = r->elastic;
    out->plastic_min = base->count > 0 ? r->plastic_min : 1;
    out->plastic_max = base->count > 0 ? r->plastic_max : 1;
    out->active_blocks = r->block_count;
    double* s = out->stage_seconds;
    s[FIRN_MPM_00_PREPARE] = firn_device_seconds(base, FIRN_STAMP_SORT, FIRN_STAMP_01_03);
    s[FIRN_MPM_FUSED_01_03] = firn_device_seconds(base, FIRN_STAMP_01_03, FIRN_STAMP_04_05);
    s[FIRN_MPM_04_GRID_VELOCITY] =
        firn_device_seconds(base, FIRN_STAMP_04_05, m->implicit ? FIRN_STAMP_06 : FIRN_STAMP_07_10);
    if (m->implicit)
        s[FIRN_MPM_06_SOLVE] = firn_device_seconds(base, FIRN_STAMP_06, FIRN_STAMP_07_10);
    s[FIRN_MPM_FUSED_07_10] = firn_device_seconds(base, FIRN_STAMP_07_10, FIRN_STAMP_END);
}

static firn_result fault(const firn_mpm* m, const firn_mpm_cuda_record* r, firn_error* error)
{
    const firn_device_record* base = &r->base;
    const firn_culprit culprit = firn_device_culprit(base);
    switch (base->end) {
    case FIRN_MPM_CUDA_LOST: return firn_mpm_fault_lost(m, &culprit, error);
    case FIRN_MPM_CUDA_SOLVE: return firn_mpm_fault_solve(m, r->stalled != 0, error);
    case FIRN_MPM_CUDA_INVERTED: return firn_mpm_fault_inverted(m, &culprit, error);
    case FIRN_MPM_CUDA_RUNAWAY: return firn_mpm_fault_runaway(m, &culprit, error);
    case FIRN_MPM_CUDA_NO_PLACE: return firn_flakes_no_place((firn_local)culprit.value, error);
    default: return FIRN_OK;
    }
}

// Points that the device has shed in a tick, which ends with the step. Those that exist fly here.
static firn_result take_powder(firn_mpm* m, const firn_mpm_cuda_record* r, firn_error* error)
{
    if (m->powder == NULL || r->ticks == 0) return FIRN_OK;
    const int64_t max = m->base.scene->powder.max;
    const firn_local count = (firn_local)(r->shed < max ? r->shed : max);
    firn_powder_birth* born = firn_alloc((size_t)count + 1, sizeof *born);
    firn_result result = born != NULL
                             ? FIRN_OK
                             : firn_fail(error, FIRN_BROKEN_MEMORY,
                                         "out of memory for %d points of powder", (int)count);
#ifdef FIRN_HAVE_CUDA
    if (result == FIRN_OK)
        result = firn_mpm_cuda_read_powder(firn_device_run_sim(m), born, count, error);
#endif
    if (result == FIRN_OK) result = firn_base_move_colliders(&m->base, error);
    if (result == FIRN_OK)
        result = firn_powder_take(m->powder, &m->base, born, count, r->shed - count, error);
    firn_free(born);
    return result;
}

// The device keeps the points of one tick: no batch may follow by itself.
static bool in_turns(const void* self)
{
    return ((const firn_mpm*)self)->powder != NULL;
}

static firn_result accept(void* self, const void* record, firn_step_report* out, firn_error* error)
{
    firn_mpm* m = self;
    const firn_mpm_cuda_record* r = record;
    m->iterations = r->iterations;
    m->residual = r->residual;
    m->max_sound = r->max_sound;
    report(m, r, out);
    FIRN_TRY(fault(m, r, error));
    FIRN_TRY(take_powder(m, r, error));
    m->dt_factor = r->base.carried[FIRN_MPM_CARRIED_DT_FACTOR];
    firn_mpm_choice_learn(&m->choice, m->iterations, m->base.dt * m->max_sound / m->def.cell,
                          r->base.end == FIRN_DEVICE_FRAME);
    if (m->base.scene->emitter_count > 0)
        firn_device_take_flakes(m->base.scene, &r->base, r->base.carried[FIRN_MPM_CARRIED_NEXT_ID],
                                &m->next_id, m->emitted, out);
    return FIRN_OK;
}

static firn_result refuse(void* self, firn_local p, firn_error* error)
{
    firn_mpm_refresh_pointers(self);
    const firn_culprit culprit = firn_mpm_culprit_of(self, p);
    return firn_mpm_fault_lost(self, &culprit, error);
}

static firn_result change(void* self, firn_device_sim* sim, firn_error* error)
{
    const firn_mpm* m = self;
    const firn_device_air air = firn_device_air_of(m->base.scene);
    return sim->ops->change(sim, &air, error);
}

const firn_device_solver firn_mpm_device = {
    .batch_max = FIRN_MPM_CUDA_BATCH,
    .record_size = sizeof(firn_mpm_cuda_record),
    .create = create,
    .plan = plan,
    .arrivals = arrivals,
    .in_turns = in_turns,
    .accept = accept,
    .refuse = refuse,
    .begin_bodies = begin_bodies,
    .change = change,
};
