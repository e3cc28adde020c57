// SPDX-License-Identifier: MIT
// Grains as a firn_solver: create, step, destroy.
#include "solver/grains/support/grains_solver.h"

#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "scene/data/scene.h"
#include "solver/grains/cuda/grains_gpu.h"
#include "solver/grains/step01_neighbours.h"
#include "solver/grains/support/grains_cpu.h"
#include "solver/shared/device_run.h"

const firn_grains_ops firn_grains_ops_plain = {.simd = FIRN_SIMD_PLAIN};

const firn_grains_ops* firn_grains_ops_find(const char* simd)
{
    firn_simd_choice choice;
    if (firn_simd_choose(simd, &choice, NULL) != FIRN_OK) return NULL;
    if (choice.plain) return &firn_grains_ops_plain;
#if defined(__x86_64__)
    if (choice.level == 4) return &firn_grains_ops_level4;
    if (choice.level == 3) return &firn_grains_ops_level3;
#endif
    return &firn_grains_ops_level1;
}

static void destroy(void* self)
{
    firn_grains* m = self;
    if (m == NULL) return;
    firn_neighbours_destroy(&m->cells);
    void* arrays[] = {m->body_temperature, m->start_radius, m->memory};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) firn_free(arrays[k]);
    firn_base_destroy(m);
}

#define ROW(field, type, kind, unit, step, changes, values) \
    FIRN_FIELD_ROW(firn_grains_particles, field, kind, unit, changes, values),
static const firn_field_row fields[] = {FIRN_GRAINS_FIELDS(ROW)};

static firn_result copy_scene(firn_grains* m, const firn_scene_data* scene)
{
    const size_t colliders = (size_t)scene->collider_count;
    m->start_radius = firn_alloc((size_t)scene->material_count + 1, sizeof *m->start_radius);
    m->body_temperature = firn_alloc(colliders + 1, sizeof *m->body_temperature);
    if (m->start_radius == NULL || m->body_temperature == NULL) return FIRN_BROKEN_MEMORY;
    for (firn_local k = 0; k < scene->material_count; k++)
        m->start_radius[k] = (firn_real)firn_grains_start_radius(scene, k);
    return FIRN_OK;
}

static firn_result fill(firn_grains* m, const firn_seeds* seeds, const firn_solver_args* args,
                        firn_error* error)
{
    const firn_scene_data* scene = m->base.scene;
    m->def = *(const firn_grains_def*)scene->solver_def;
    m->ops = firn_grains_ops_find(args->simd);
    m->radius = firn_grains_radius(scene);
    m->dt_usual = firn_grains_dt(scene);
    m->may_heat = firn_scene_heats(scene) || m->def.heat_speed != 1;
    m->constants = firn_grains_constants(scene, m->dt_usual);
    m->skin = (firn_real)(FIRN_GRAINS_SKIN * m->radius);
    firn_base_add_fields(&m->base, fields, sizeof fields / sizeof *fields);
    firn_result r = copy_scene(m, scene);
    firn_local count = seeds != NULL ? seeds->count : 0;
    if (args->particles_max > count) count = args->particles_max;
    const bool on_device = args->device >= 0;  // lists and work are there, too
    if (r == FIRN_OK)
        r = on_device ? firn_particles_reserve(&m->base.store, count)
                      : firn_grains_reserve(m, count);
    if (r == FIRN_OK && seeds != NULL) r = firn_grains_take_seeds(m, seeds);
    if (r != FIRN_OK) return firn_fail(error, r, "out of memory for %d grains", (int)count);
    return firn_grains_gpu_create(m, args, error);
}

static firn_result create(const firn_scene_data* scene, const firn_seeds* seeds,
                          const firn_solver_args* args, void** out_self, firn_error* error)
{
    firn_simd_choice simd;
    FIRN_TRY(firn_simd_choose(args->simd, &simd, error));
    void* m;
    FIRN_TRY(firn_base_create(sizeof(firn_grains), scene, args, &m, error));
    const firn_result r = fill(m, seeds, args, error);
    if (r != FIRN_OK)
        destroy(m);
    else
        *out_self = m;
    return r;
}

static bool grow(void** array, size_t count, size_t size)
{
    void* more = firn_alloc(count + 2, size);
    if (more == NULL) return false;
    if (count > 0) memcpy(more, *array, count * size);
    firn_free(*array);
    *array = more;
    return true;
}

// Everything that may fail comes before the counts change; room that is left over does no harm.
static firn_result collider_added(void* self, firn_error* error)
{
    firn_grains* m = self;
    const firn_local n = m->base.collider_count;
    if (!grow((void**)&m->body_temperature, (size_t)n, sizeof *m->body_temperature))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for another collider");
    return firn_base_collider_added(m, error);
}

static firn_result step(void* self, double time, double dt_limit, double dt_scale,
                        firn_step_report* out_report, firn_error* error)
{
    firn_grains* m = self;
    return firn_device_run_remote(m)
               ? firn_device_run_step(m, time, dt_limit, dt_scale, out_report, error)
               : firn_grains_step(m, time, dt_limit, dt_scale, out_report, error);
}

static void density(const void* self, firn_real* out_density)
{
    const firn_grains* m = self;
    if (m->base.store.count == 0) return;
    const firn_real* r = firn_particles_find(&m->base.store, "radius")->data;
    for (firn_local i = 0; i < m->base.store.count; i++)
        out_density[i] = firn_grain_density(&m->constants, r[i]);
}

// State beside the particles, for checkpoints.
typedef struct extra {
    int64_t step;
    uint64_t next_id;
    double heat_gained;
} extra;

static size_t extra_size(const void* self)
{
    const firn_grains* m = self;
    return sizeof(extra) + firn_bodies_extra_size(m->base.bodies);
}

static void extra_save(const void* self, void* block)
{
    const firn_grains* m = self;
    const extra e = {m->base.step, m->next_id, m->heat_gained};
    memcpy(block, &e, sizeof e);
    firn_bodies_extra_save(m->base.bodies, (char*)block + sizeof e);
}

static firn_result check_extra(const extra* e, firn_error* error)
{
    FIRN_TRY(firn_base_check_steps("step", e->step, error));
    if (e->next_id > UINT32_MAX)
        return firn_base_refuse("next_id", -1, (double)e->next_id, "at most 2^32 - 1", error);
    if (!isfinite(e->heat_gained))
        return firn_base_refuse("heat_gained", -1, e->heat_gained, "a finite number", error);
    return FIRN_OK;
}

static firn_result extra_restore(void* self, const void* block, size_t size, firn_error* error)
{
    firn_grains* m = self;
    extra e;
    if (size < sizeof e) return firn_base_refuse_size(size, extra_size(self), error);
    memcpy(&e, block, sizeof e);
    const void* bodies = (const char*)block + sizeof e;
    FIRN_TRY(check_extra(&e, error));
    FIRN_TRY(firn_bodies_extra_check(m->base.bodies, bodies, size - sizeof e, error));
    firn_bodies_extra_restore(m->base.bodies, bodies, size - sizeof e, m->base.colliders);
    if (!firn_device_run_remote(m) && m->base.store.count > m->w.capacity) {
        // the simulation was created without the particles of the checkpoint
        if (firn_grains_reserve(m, m->base.store.count) != FIRN_OK)
            return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d grains",
                             (int)m->base.store.count);
    }
    m->base.step = e.step;
    m->next_id = (uint32_t)e.next_id;
    m->heat_gained = e.heat_gained;
    m->listed = m->edited = false;
    firn_device_run_host_changed(m);
    return FIRN_OK;
}

// Lists are rebuilt from where grains were listed: not farther from where they are than a skin and
// the longest step.
static firn_result check_listed(const firn_grains* m, firn_error* error)
{
    const double far = m->radius + (double)m->skin, largest = far + (double)m->constants.reach;
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_vec3 d = firn_v3_sub(m->p.position[i], m->p.listed[i]);
        const double moved = sqrt((double)firn_v3_dot(d, d)), r = (double)m->p.listed_radius[i];
        if (!(moved <= far))
            return firn_base_refuse("listed", i, moved, "close to its position", error);
        if (!(r > 0 && r <= largest))
            return firn_base_refuse("listed_radius", i, r, "the radius of a grain", error);
    }
    return FIRN_OK;
}

static firn_result check_particles(void* self, firn_error* error)
{
    firn_grains* m = self;
    FIRN_TRY(firn_base_check_ids(&m->base, m->next_id, error));
    if (m->base.step == 0) return FIRN_OK;
    firn_grains_refresh_pointers(m);
    const firn_local bad =
        firn_base_measure(&m->base, m->p.position, m->p.velocity, m->radius * FIRN_GRAINS_FAR);
    if (bad < m->p.count)
        return firn_base_refuse("position", bad, (double)m->p.position[bad].x,
                                "within the reach of the cells", error);
    FIRN_TRY(check_listed(m, error));
    return firn_device_run_remote(m) ? FIRN_OK : firn_grains_recall_lists(m, error);
}

static double reach(const void* self)
{
    return ((const firn_grains*)self)->radius * FIRN_GRAINS_FAR;
}

static void set_cell(void* solver_def, double cell)
{
    ((firn_grains_def*)solver_def)->radius = 0.5 * cell;  // firn_grains_estimate
}

const firn_solver firn_solver_grains = {
    .name = "grains",
    .help = "grains with bonds, compression and heat, in real time (Goswami et al. 2019)",
    .backends = "cpu cuda",
    .deterministic = "cpu cuda",
    .keys = &firn_grains_keys,
    .lattice = true,
    .heats = true,
    .always_heats = true,
    .free_bodies = true,
    .stage_names = firn_grains_stage_names,
    .stage_count = FIRN_GRAINS_STAGE_COUNT,
    .pitch = firn_grains_pitch,
    .snow_mass = firn_grains_snow_mass,
    .check = firn_grains_check,
    .estimate = firn_grains_estimate,
    .create = create,
    .destroy = destroy,
    .step = step,
    .particles = firn_base_particles,
    .density = density,
    .colliders = firn_base_colliders,
    .loads = firn_base_loads,
    .collider_added = collider_added,
    .bodies = firn_base_bodies,
    .push = firn_base_push,
    .extra_size = extra_size,
    .extra_save = extra_save,
    .extra_restore = extra_restore,
    .check_particles = check_particles,
    .editable = "position velocity spin temperature",
    .reach = reach,
    .set_cell = set_cell,
    .add = firn_grains_add,
    .keep = firn_grains_keep,
    .write = firn_grains_write,
    .settle = firn_grains_edit_settle,
    FIRN_DEVICE_RUN_FUNCTIONS,
};
