// SPDX-License-Identifier: MIT
// The ballistic solver as a firn_solver.
#include "solver/ballistic/ballistic.h"

#include <math.h>
#include <string.h>

#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/ballistic/ballistic_fields.h"
#include "solver/ballistic/step01_fall.h"
#include "solver/shared/fault.h"
#include "solver/shared/stages.h"

typedef struct ballistic {
    firn_solver_base base;
    firn_ballistic_def def;
    firn_ballistic_particles p;  // typed pointers into base.store
    firn_sums sums;              // of the step
} ballistic;

#define ROW(field, type, kind, unit, step, changes, values) \
    FIRN_FIELD_ROW(firn_ballistic_particles, field, kind, unit, changes, values),
static const firn_field_row fields[] = {FIRN_BALLISTIC_FIELDS(ROW)};

static firn_result create(const firn_scene_data* scene, const firn_seeds* seeds,
                          const firn_solver_args* args, void** out_self, firn_error* error)
{
    void* self;
    FIRN_TRY(firn_base_create(sizeof(ballistic), scene, args, &self, error));
    ballistic* m = self;
    m->def = *(const firn_ballistic_def*)scene->solver_def;
    firn_base_add_fields(&m->base, fields, sizeof fields / sizeof *fields);
    uint32_t next_id = 0;
    const bool seeded = (seeds == NULL || firn_base_append(&m->base, seeds, &next_id) == FIRN_OK) &&
                        firn_particles_reserve(&m->base.store, args->particles_max) == FIRN_OK;
    const firn_result r = seeded ? firn_device_run_create(m, &firn_ballistic_device, args, error)
                                 : firn_base_no_memory(seeds, error);
    if (r != FIRN_OK)
        firn_base_destroy(m);
    else
        *out_self = m;
    return r;
}

static void destroy(void* self)
{
    if (self != NULL) firn_base_destroy(self);
}

static void sum_up(ballistic* m)
{
    double sum[FIRN_BALLISTIC_SUMS] = {0}, speed2 = 0;
    for (firn_local k = 0; k < m->base.store.count; k++)
        speed2 = fmax(speed2, firn_ballistic_add(sum, m->base.scene->gravity, (double)m->p.mass[k],
                                                 m->p.position[k], m->p.velocity[k]));
    m->base.max_speed = sqrt(speed2);
    m->sums = (firn_sums){.momentum = {sum[0], sum[1], sum[2]},
                          .kinetic = sum[3],
                          .potential = sum[4],
                          .plastic_min = 1,
                          .plastic_max = 1};
}

// Names the first particle whose velocity is not finite; else the first of all.
static firn_result fault(const ballistic* m, firn_error* error)
{
    static const firn_fault_words words = {"particle", "mass", " kg"};
    firn_local p = 0;
    while (p + 1 < m->base.store.count && firn_v3_is_finite(m->p.velocity[p])) p++;
    const firn_culprit culprit = {.id = m->p.id[p],
                                  .material = m->p.material[p],
                                  .position = m->p.position[p],
                                  .velocity = m->p.velocity[p],
                                  .value = (double)m->p.mass[p]};
    return firn_fault(&m->base, &words, &culprit, "its kinetic energy is not finite",
                      "a value was damaged from outside", error);
}

// The only stage.
static firn_result fall(void* self, int stage, firn_error* error)
{
    (void)stage;
    ballistic* m = self;
    firn_solver_base* base = &m->base;
    FIRN_TRY(firn_base_cull(base, error));
    firn_base_point(base, &m->p);
    base->dt = firn_ballistic_dt(m->def.dt, base->dt_scale, base->dt_limit);
    sum_up(m);
    if (!isfinite(m->sums.kinetic)) return fault(m, error);
    FIRN_TRY(firn_base_move_colliders(base, error));
    firn_base_apply_forces(base, m->p.position, m->p.velocity);
    firn_ballistic_fall(
        &(firn_ballistic_fall_args){.particle_count = base->store.count,
                                    .gravity = firn_base_gravity(base),
                                    .dt = (firn_real)base->dt,
                                    .colliders = base->colliders,
                                    .collider_count = base->collider_count,
                                    .shapes = firn_shapes_tables(&base->scene->shapes),
                                    .loads = &base->loads,
                                    .mass = m->p.mass,
                                    .position = m->p.position,
                                    .velocity = m->p.velocity});
    return FIRN_OK;
}

static firn_result step(void* self, double time, double dt_limit, double dt_scale,
                        firn_step_report* out_report, firn_error* error)
{
    ballistic* m = self;
    if (firn_device_run_remote(m))
        return firn_device_run_step(m, time, dt_limit, dt_scale, out_report, error);
    firn_stages run = firn_stages_begin(m, fall, error);
    firn_stages_prepare(&run, time, dt_limit, dt_scale);
    *out_report = firn_report_begin(&m->base);
    firn_report_add(out_report, &m->sums, 1);
    if (run.result == FIRN_OK) {
        firn_loads_end(&m->base.loads, m->base.colliders);
        m->base.step++;
    }
    return run.result;
}

static void density(const void* self, firn_real* out_density)
{
    const firn_solver_base* base = self;
    const uint8_t* material = firn_particles_find(&base->store, "material")->data;
    for (firn_local k = 0; k < base->store.count; k++)
        out_density[k] = base->scene->materials[material[k]].snow.density;
}

static void check(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    (void)scene;
    (void)diagnostics;
}

static firn_solver_estimate estimate(const firn_scene_data* scene)
{
    const firn_ballistic_def* d = scene->solver_def;
    return (firn_solver_estimate){.cell = d->spacing,
                                  .bytes_per_particle = 70,
                                  .device_bytes_per_particle = 80,
                                  .host_bytes_per_particle = 70,
                                  .dt = d->dt,
                                  .seconds_per_particle_step = 5e-8};
}

static size_t extra_size(const void* self)
{
    (void)self;
    return sizeof(int64_t);
}

static void extra_save(const void* self, void* block)
{
    memcpy(block, &((const firn_solver_base*)self)->step, sizeof(int64_t));
}

static firn_result extra_restore(void* self, const void* block, size_t size, firn_error* error)
{
    int64_t steps;
    if (size != sizeof steps) return firn_base_refuse_size(size, sizeof steps, error);
    memcpy(&steps, block, sizeof steps);
    FIRN_TRY(firn_base_check_steps("step", steps, error));
    ((firn_solver_base*)self)->step = steps;
    firn_device_run_host_changed(self);
    return FIRN_OK;
}

static double reach(const void* self)
{
    (void)self;
    return (double)FIRN_REAL_MAX;
}

static firn_result add(void* self, const firn_seeds* seeds, uint32_t* next_id, firn_error* error)
{
    return firn_base_add(self, seeds, next_id, error);
}

static const char* const stage_names[] = {"01_fall"};

const firn_solver firn_solver_ballistic = {
    .name = "ballistic",
    .help = "falling particles that do not feel each other: the smallest solver, to start from",
    .backends = "cpu cuda",
    .deterministic = "cpu cuda",
    .keys = &firn_ballistic_keys,
    .stage_names = stage_names,
    .stage_count = 1,
    .check = check,
    .estimate = estimate,
    .create = create,
    .destroy = destroy,
    .step = step,
    .particles = firn_base_particles,
    .density = density,
    .colliders = firn_base_colliders,
    .loads = firn_base_loads,
    .collider_added = firn_base_collider_added,
    .extra_size = extra_size,
    .extra_save = extra_save,
    .extra_restore = extra_restore,
    .editable = "position velocity",
    .reach = reach,
    .add = add,
    .keep = firn_base_keep,
    .write = firn_base_write,
    FIRN_DEVICE_RUN_FUNCTIONS,
};
