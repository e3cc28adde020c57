// SPDX-License-Identifier: MIT
// Implicit SPH as a firn_solver: create, step, destroy.
#include "solver/sph/support/sph_solver.h"

#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "core/threads/copy.h"
#include "geometry/collider/collider.h"
#include "physics/cohesion.h"
#include "physics/heat.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/flakes.h"
#include "solver/shared/device_run.h"
#include "solver/sph/cuda/sph_gpu.h"
#include "solver/sph/rigid/sph_lumps.h"
#include "solver/sph/support/sph_cpu.h"

const firn_sph_ops* firn_sph_ops_find(const char* simd)
{
    firn_simd_choice choice;
    if (firn_simd_choose(simd, &choice, NULL) != FIRN_OK) return NULL;
    const bool plain = choice.plain;
#if defined(__x86_64__)
    if (choice.level == 4) return plain ? &firn_sph_ops_level4_plain : &firn_sph_ops_level4;
    if (choice.level == 3) return plain ? &firn_sph_ops_level3_plain : &firn_sph_ops_level3;
#endif
    return plain ? &firn_sph_ops_level1_plain : &firn_sph_ops_level1;
}

static void destroy(void* self)
{
    firn_sph* m = self;
    if (m == NULL) return;
    firn_seeds_destroy(&m->fresh);
    firn_neighbours_destroy(&m->cells);
    firn_neighbours_destroy(&m->wall);
    firn_boundary_destroy(&m->boundary);
    firn_pair_list_destroy(&m->pairs);
    firn_sph_work_destroy(&m->w);
    if (m->lumps != NULL) firn_sph_lumps_destroy(m->lumps);
    firn_free(m->lumps);
    void* arrays[] = {m->materials,     m->near,    m->contact,
                      m->contact_first, m->emitted, m->emitted_before};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) firn_free(arrays[k]);
    firn_base_destroy(m);
}

// How heat changes material k.
static void set_heat(firn_sph* m, const firn_scene_data* scene, firn_local k)
{
    const firn_becomes* b = &scene->materials[k].becomes;
    firn_sph_material* mat = &m->materials[k];
    const bool snow = mat->phase == FIRN_PHASE_SNOW;
    mat->c_ice = mat->c_water = scene->materials[k].snow.heat_capacity;
    mat->heat = snow ? FIRN_HEAT_SNOW : FIRN_HEAT_WARMS;
    if (!firn_becomes_by_heat(b)) return;
    mat->heat = FIRN_HEAT_MELTS;
    *(snow ? &mat->c_water : &mat->c_ice) = scene->materials[b->material].snow.heat_capacity;
}

static bool copy_scene(firn_sph* m, const firn_scene_data* scene)
{
    m->material_count = scene->material_count;
    m->materials = firn_alloc((size_t)scene->material_count + 1, sizeof *m->materials);
    m->emitted = firn_alloc((size_t)scene->emitter_count + 1, sizeof *m->emitted);
    m->emitted_before = firn_alloc((size_t)scene->emitter_count + 1, sizeof *m->emitted_before);
    if (m->materials == NULL || m->emitted == NULL || m->emitted_before == NULL) return false;
    firn_flakes_begin(scene, m->emitted);
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        m->materials[k] = (firn_sph_material){
            .lame_0 = firn_snow_lame(s->young, s->poisson),
            .xi = s->hardening,
            .theta_c = s->critical_compression,
            .theta_s = s->critical_stretch,
            .hardening_max = s->hardening_max,
            .density = s->density,
            .phase = (firn_material_phase)s->phase,
            .viscosity = s->phase == FIRN_PHASE_SNOW ? 0 : s->viscosity,
            .surface_tension = s->surface_tension,
            .cohesion = firn_cohesion_strength(s->surface_tension, (firn_real)m->spacing),
            .slips = s->slips != 0};
    }
    for (firn_local k = 0; k < scene->material_count; k++) set_heat(m, scene, k);
    return true;
}

#define ROW(field, type, kind, unit, step, changes, values) \
    FIRN_FIELD_ROW(firn_sph_particles, field, kind, unit, changes, values),
static const firn_field_row fields[] = {FIRN_SPH_FIELDS(ROW)};
static const firn_field_row varied_fields[] = {FIRN_SPH_VARIED_FIELDS(ROW)};
static const firn_field_row heat_fields[] = {FIRN_SPH_HEAT_FIELDS(ROW)};
static const firn_field_row flake_fields[] = {FIRN_SPH_FLAKE_FIELDS(ROW)};
static const firn_field_row phase_fields[] = {FIRN_SPH_PHASE_FIELDS(ROW)};

// Fields that never change else.
static void let_change(firn_solver_base* base, const char* name)
{
    for (int f = 0; f < base->store.field_count; f++)
        if (strcmp(base->store.fields[f].name, name) == 0)
            base->store.fields[f].changes = FIRN_CHANGES_ALWAYS;
}

static void add_fields(firn_sph* m)
{
    firn_solver_base* base = &m->base;
    firn_base_add_fields(base, fields, sizeof fields / sizeof *fields);
    if (m->varies)
        firn_base_add_fields(base, varied_fields, sizeof varied_fields / sizeof *varied_fields);
    if (m->heats) firn_base_add_fields(base, heat_fields, sizeof heat_fields / sizeof *heat_fields);
    if (m->base.scene->emitter_count > 0)
        firn_base_add_fields(base, flake_fields, sizeof flake_fields / sizeof *flake_fields);
    if (!m->changes) return;
    firn_base_add_fields(base, phase_fields, sizeof phase_fields / sizeof *phase_fields);
    let_change(base, "material");
    let_change(base, "fresh_density");
}

static firn_result fill(firn_sph* m, const firn_seeds* seeds, const firn_solver_args* args,
                        firn_error* error)
{
    const firn_scene_data* scene = m->base.scene;
    m->def = *(const firn_sph_def*)scene->solver_def;
    m->ops = firn_sph_ops_find(args->simd);
    m->spacing = firn_sph_spacing(scene);
    m->dt_factor = 1;
    m->varies = firn_scene_varies(scene);
    m->heats = firn_scene_heats(scene);
    m->fluids = firn_sph_has_fluids(scene);
    m->changes = firn_sph_has_changes(scene);
    m->coheres = firn_sph_has_tension(scene);
    m->w.mixed = firn_sph_counts_volumes(m);
    add_fields(m);
    m->lumps = firn_alloc(1, sizeof *m->lumps);
    if (m->lumps == NULL ||
        firn_particles_reserve(&m->base.store, args->particles_max) != FIRN_OK ||
        !copy_scene(m, scene) || (seeds != NULL && firn_sph_take_seeds(m, seeds, true) != FIRN_OK))
        return firn_base_no_memory(seeds, error);
    FIRN_TRY(firn_boundary_create(scene->collider_count, m->spacing, m->def.boundary_volume,
                                  m->def.boundary_depth * m->spacing, &m->boundary, error));
    return firn_sph_gpu_create(m, args, error);
}

static firn_result emitter_added(void* self, firn_error* error)
{
    firn_sph* m = self;
    FIRN_TRY(firn_base_grow_emitters(&m->base, flake_fields,
                                     sizeof flake_fields / sizeof *flake_fields, &m->emitted,
                                     &m->emitted_before, error));
    firn_device_run_rebuild(m);
    return FIRN_OK;
}

static firn_result collider_added(void* self, firn_error* error)
{
    firn_sph* m = self;
    FIRN_TRY(firn_boundary_add(&m->boundary, error));
    const firn_result r = firn_base_collider_added(m, error);
    if (r != FIRN_OK) m->boundary.body_count--;  // without particles
    return r;
}

static firn_result create(const firn_scene_data* scene, const firn_seeds* seeds,
                          const firn_solver_args* args, void** out_self, firn_error* error)
{
    firn_simd_choice simd;
    FIRN_TRY(firn_simd_choose(args->simd, &simd, error));
    void* m;
    FIRN_TRY(firn_base_create(sizeof(firn_sph), scene, args, &m, error));
    const firn_result r = fill(m, seeds, args, error);
    if (r != FIRN_OK)
        destroy(m);
    else
        *out_self = m;
    return r;
}

static firn_result step(void* self, double time, double dt_limit, double dt_scale,
                        firn_step_report* out_report, firn_error* error)
{
    return firn_device_run_remote(self)
               ? firn_device_run_step(self, time, dt_limit, dt_scale, out_report, error)
               : firn_sph_step(self, time, dt_limit, dt_scale, out_report, error);
}

// As step 1 of the last step found it; before the first, rho_0.
static void density(const void* self, firn_real* out_density)
{
    const firn_particles* s = &((const firn_sph*)self)->base.store;
    if (s->count > 0)
        firn_share_copy(out_density, firn_particles_find(s, "density")->data,
                        (size_t)s->count * sizeof *out_density);
}

// State beside the particles, for checkpoints; the counts of the emitters follow it, then dynamic
// colliders.
typedef struct extra {
    int64_t step;
    double dt_factor;
    uint64_t next_id;
} extra;

static size_t extra_size(const void* self)
{
    return sizeof(extra) +
           (size_t)((const firn_sph*)self)->base.scene->emitter_count * sizeof(int64_t) +
           firn_bodies_extra_size(((const firn_sph*)self)->base.bodies);
}

static void extra_save(const void* self, void* block)
{
    const firn_sph* m = self;
    const extra e = {m->base.step, m->dt_factor, m->next_id};
    memcpy(block, &e, sizeof e);
    const size_t emitted = (size_t)m->base.scene->emitter_count * sizeof *m->emitted;
    memcpy((char*)block + sizeof e, m->emitted, emitted);
    firn_bodies_extra_save(m->base.bodies, (char*)block + sizeof e + emitted);
}

// Emitters that a block has: those that were added since are missing. Dynamic colliders have the
// rest of the block. FIRN_REFUSED_DAMAGED.
static firn_result find_emitters(const firn_sph* m, const void* block, size_t size, size_t* out,
                                 firn_error* error)
{
    const size_t all = (size_t)m->base.scene->emitter_count, head = sizeof(extra);
    firn_result r = FIRN_REFUSED_DAMAGED;
    *out = 0;
    for (size_t fewer = 0; fewer <= all && r != FIRN_OK; fewer++) {
        const size_t at = head + (all - fewer) * sizeof *m->emitted;
        if (size < at) continue;
        r = firn_bodies_extra_check(m->base.bodies, (const char*)block + at, size - at,
                                    fewer == 0 ? error : NULL);
        *out = all - fewer;
    }
    if (r != FIRN_OK && firn_bodies_count(m->base.bodies) == 0)
        return firn_base_refuse_size(size, extra_size(m), error);
    return r;
}

static firn_result extra_restore(void* self, const void* block, size_t size, firn_error* error)
{
    firn_sph* m = self;
    extra e;
    size_t emitters;
    if (size < sizeof e) return firn_base_refuse_size(size, extra_size(self), error);
    FIRN_TRY(find_emitters(m, block, size, &emitters, error));
    memcpy(&e, block, sizeof e);
    FIRN_TRY(firn_base_check_steps("step", e.step, error));
    if (e.next_id > UINT32_MAX)
        return firn_base_refuse("next_id", -1, (double)e.next_id, "at most 2^32 - 1", error);
    if (!(e.dt_factor >= FIRN_SPH_DT_FACTOR_MIN && e.dt_factor <= 1))
        return firn_base_refuse("dt_factor", -1, e.dt_factor, "0.001 to 1", error);
    const int64_t* emitted = (const int64_t*)((const char*)block + sizeof e);
    for (size_t k = 0; k < emitters; k++) {
        int64_t n;
        memcpy(&n, emitted + k, sizeof n);
        if (n < 0 || (uint64_t)n > e.next_id)
            return firn_base_refuse("emitted", -1, (double)n, "0 to the number of particles so far",
                                    error);
    }
    m->base.step = e.step;
    m->dt_factor = e.dt_factor;
    m->next_id = (uint32_t)e.next_id;
    memset(m->emitted, 0, (size_t)m->base.scene->emitter_count * sizeof *m->emitted);
    memcpy(m->emitted, emitted, emitters * sizeof *m->emitted);
    const size_t at = sizeof e + emitters * sizeof *m->emitted;
    firn_bodies_extra_restore(m->base.bodies, (const char*)block + at, size - at,
                              m->base.colliders);
    firn_device_run_host_changed(m);
    return FIRN_OK;
}

static firn_result check_particles(void* self, firn_error* error)
{
    const firn_sph* m = self;
    return firn_base_check_ids(&m->base, m->next_id, error);
}

static double reach(const void* self)
{
    return ((const firn_sph*)self)->spacing * FIRN_SPH_FAR;
}

static firn_result add(void* self, const firn_seeds* seeds, uint32_t* next_id, firn_error* error)
{
    firn_sph* m = self;
    if (m->next_id > *next_id) *next_id = m->next_id;
    FIRN_TRY(firn_base_add(&m->base, seeds, next_id, error));
    m->next_id = *next_id;
    firn_sph_dress_seeds(m, seeds, true);
    return FIRN_OK;
}

// Only temperatures that change: those of wet snow are 0 and say nothing about its water.
static firn_result write(void* self, const firn_field* field, const void* values, firn_error* error)
{
    if (strcmp(field->name, "temperature") != 0) return firn_base_write(self, field, values, error);
    firn_sph* m = self;
    firn_sph_refresh_pointers(m);
    const firn_real* T = values;
    for (firn_local p = 0; p < m->p.count; p++) {
        if (T[p] == m->p.temperature[p]) continue;
        m->p.temperature[p] = T[p];
        firn_sph_limit_warmth(m, p);
    }
    firn_device_run_host_changed(m);
    return FIRN_OK;
}

const firn_solver firn_solver_sph = {
    .name = "sph",
    .help = "implicit smoothed particles: snowfall, thin layers, heat (Gissler et al. 2020)",
    .backends = "cpu cuda",
    .deterministic = "cpu cuda",
    .keys = &firn_sph_keys,
    .lattice = true,
    .emits = true,
    .drags = true,
    .heats = true,
    .free_bodies = true,
    .fluids = true,
    .stage_names = firn_sph_stage_names,
    .stage_count = FIRN_SPH_STAGE_COUNT,
    .check = firn_sph_check,
    .estimate = firn_sph_estimate,
    .create = create,
    .destroy = destroy,
    .step = step,
    .particles = firn_base_particles,
    .density = density,
    .colliders = firn_base_colliders,
    .loads = firn_base_loads,
    .collider_added = collider_added,
    .emitter_added = emitter_added,
    .bodies = firn_base_bodies,
    .push = firn_base_push,
    .extra_size = extra_size,
    .extra_save = extra_save,
    .extra_restore = extra_restore,
    .check_particles = check_particles,
    .editable = "position velocity plastic_det temperature",
    .reach = reach,
    .add = add,
    .keep = firn_base_keep,
    .write = write,
    FIRN_DEVICE_RUN_FUNCTIONS,
};
