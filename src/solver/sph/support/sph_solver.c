// SPDX-License-Identifier: MIT
// Implicit SPH as a firn_solver: create, step, give back.
#include "solver/sph/support/sph_solver.h"

#include <string.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
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
    if (m->colliders != NULL) firn_colliders_destroy(m->colliders, m->collider_count);
    firn_particles_destroy(&m->store);
    firn_culler_destroy(&m->culler);
    firn_seeds_destroy(&m->fresh);
    firn_neighbours_destroy(&m->cells);
    firn_neighbours_destroy(&m->wall);
    firn_boundary_destroy(&m->boundary);
    firn_pair_list_destroy(&m->pairs);
    firn_sph_work_destroy(&m->w);
    void* arrays[] = {m->materials, m->colliders,   m->scratch, m->near,
                      m->touch,     m->touch_first, m->emitted};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) firn_free(arrays[k]);
    firn_free(m);
}

static bool copy_scene(firn_sph* m, const firn_scene_data* scene)
{
    m->material_count = scene->material_count;
    m->materials = firn_alloc((size_t)scene->material_count + 1, sizeof *m->materials);
    m->colliders = firn_alloc((size_t)scene->collider_count + 1, sizeof *m->colliders);
    m->emitted = firn_alloc((size_t)scene->emitter_count + 1, sizeof *m->emitted);
    if (m->materials == NULL || m->colliders == NULL || m->emitted == NULL) return false;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        m->materials[k] = (firn_sph_material){.lame_0 = firn_snow_lame(s->young, s->poisson),
                                              .xi = s->hardening,
                                              .theta_c = s->critical_compression,
                                              .theta_s = s->critical_stretch,
                                              .hardening_max = s->hardening_max,
                                              .density = s->density};
    }
    if (firn_colliders_copy(scene->colliders, scene->collider_count, m->colliders) != FIRN_OK)
        return false;
    m->collider_count = scene->collider_count;
    return true;
}

static void register_fields(firn_sph* m)
{
#define REGISTER(field, type, kind, unit, step, when)                                       \
    {                                                                                       \
        const int f = firn_particles_add_field(&m->store, #field, unit, FIRN_FIELD_##kind); \
        m->store.fields[f].changes = FIRN_CHANGES_##when;                                   \
    }
    FIRN_SPH_FIELDS(REGISTER)
    if (m->varies) {
        FIRN_SPH_VARIED_FIELDS(REGISTER)
    }
    if (m->heats) {
        FIRN_SPH_HEAT_FIELDS(REGISTER)
    }
#undef REGISTER
}

static firn_result create(const firn_scene_data* scene, const firn_seeds* seeds,
                          const firn_solver_args* args, void** out_self, firn_error* error)
{
    firn_simd_choice simd;
    FIRN_TRY(firn_simd_choose(args->simd, &simd, error));
    firn_sph* m = firn_alloc(1, sizeof *m);
    if (m == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    m->scene = scene;
    m->def = *(const firn_sph_def*)scene->solver_def;
    m->ops = firn_sph_ops_find(args->simd);
    m->threads = args->threads;
    m->log = args->log;
    m->spacing = firn_sph_spacing(scene);
    m->dt_factor = 1;
    m->varies = firn_scene_varies(scene);
    m->heats = firn_scene_heats(scene);
    register_fields(m);
    firn_result r = copy_scene(m, scene) ? FIRN_OK : FIRN_BROKEN_MEMORY;
    if (r == FIRN_OK && seeds != NULL) r = firn_sph_take_seeds(m, seeds, true);
    if (r == FIRN_OK)
        r = firn_boundary_create(scene->collider_count, m->spacing, m->def.boundary_volume,
                                 m->def.boundary_depth * m->spacing, &m->boundary, error);
    if (r != FIRN_OK) {
        const int count = seeds != NULL ? (int)seeds->count : 0;
        destroy(m);
        return firn_fail(error, r, "out of memory for %d particles", count);
    }
    *out_self = m;
    return FIRN_OK;
}

static firn_result step(void* self, double time, double dt_limit, double dt_scale,
                        firn_step_report* out_report, firn_error* error)
{
    return firn_sph_step(self, time, dt_limit, dt_scale, out_report, error);
}

static firn_particles* particles(void* self)
{
    return &((firn_sph*)self)->store;
}

static firn_local count(const void* self)
{
    return ((const firn_sph*)self)->store.count;
}

static firn_collider* colliders(void* self, firn_local* out_count)
{
    *out_count = ((firn_sph*)self)->collider_count;
    return ((firn_sph*)self)->colliders;
}

// As step 1 of the last step found it; before the first, rho_0.
static void density(const void* self, firn_real* out_density)
{
    const firn_particles* s = &((const firn_sph*)self)->store;
    if (s->count > 0)
        memcpy(out_density, firn_particles_find(s, "density")->data,
               (size_t)s->count * sizeof *out_density);
}

// What enters the next step beside the particles, before the counts of the emitters.
typedef struct extra {
    int64_t step;
    double dt_factor;
    uint64_t next_id;
} extra;

static size_t extra_size(const void* self)
{
    return sizeof(extra) + (size_t)((const firn_sph*)self)->scene->emitter_count * sizeof(int64_t);
}

static void extra_save(const void* self, void* block)
{
    const firn_sph* m = self;
    const extra e = {m->step, m->dt_factor, m->next_id};
    memcpy(block, &e, sizeof e);
    memcpy((char*)block + sizeof e, m->emitted,
           (size_t)m->scene->emitter_count * sizeof *m->emitted);
}

static firn_result extra_restore(void* self, const void* block, size_t size)
{
    firn_sph* m = self;
    extra e;
    if (size != extra_size(self)) return FIRN_REFUSED_DAMAGED;
    memcpy(&e, block, sizeof e);
    if (e.step < 0 || e.next_id > UINT32_MAX || !(e.dt_factor > 0 && e.dt_factor <= 1))
        return FIRN_REFUSED_DAMAGED;
    const int64_t* emitted = (const int64_t*)((const char*)block + sizeof e);
    for (firn_local k = 0; k < m->scene->emitter_count; k++) {
        int64_t n;
        memcpy(&n, emitted + k, sizeof n);
        if (n < 0) return FIRN_REFUSED_DAMAGED;
    }
    m->step = e.step;
    m->dt_factor = e.dt_factor;
    m->next_id = (uint32_t)e.next_id;
    memcpy(m->emitted, emitted, (size_t)m->scene->emitter_count * sizeof *m->emitted);
    return FIRN_OK;
}

const firn_solver firn_solver_sph = {
    .name = "sph",
    .help = "implicit smoothed particles: snowfall, thin layers, heat (Gissler et al. 2020)",
    .backends = "cpu",
    .deterministic = "cpu",
    .keys = &firn_sph_keys,
    .lattice = true,
    .emits = true,
    .heats = true,
    .stage_names = firn_sph_stage_names,
    .stage_count = FIRN_SPH_STAGE_COUNT,
    .check = firn_sph_check,
    .estimate = firn_sph_estimate,
    .create = create,
    .destroy = destroy,
    .step = step,
    .particles = particles,
    .count = count,
    .density = density,
    .colliders = colliders,
    .extra_size = extra_size,
    .extra_save = extra_save,
    .extra_restore = extra_restore,
};
