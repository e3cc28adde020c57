// SPDX-License-Identifier: MIT
// The ballistic solver as a firn_solver.
#include "solver/ballistic/ballistic.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/timer.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/cull.h"
#include "solver/ballistic/ballistic_fields.h"
#include "solver/ballistic/step01_fall.h"

typedef struct ballistic {
    const firn_scene_data* scene;  // borrowed
    firn_ballistic_def def;
    firn_particles store;
    firn_culler culler;
    firn_collider* colliders;  // owned copies: poses move
    firn_local collider_count;
    int threads;
    int64_t step;
} ballistic;

static firn_ballistic_particles pointers(const ballistic* m)
{
    firn_ballistic_particles p;
    int f = 0;
#define POINT(field, type, kind, unit, step, changes) p.field = m->store.fields[f++].data;
    FIRN_BALLISTIC_FIELDS(POINT)
#undef POINT
    return p;
}

static void destroy(void* self)
{
    ballistic* m = self;
    if (m == NULL) return;
    firn_particles_destroy(&m->store);
    if (m->colliders != NULL) firn_colliders_destroy(m->colliders, m->collider_count);
    firn_culler_destroy(&m->culler);
    firn_free(m->colliders);
    firn_free(m);
}

static firn_result take_seeds(ballistic* m, const firn_seeds* seeds)
{
    FIRN_TRY(firn_particles_reserve(&m->store, seeds->count));
    m->store.count = seeds->count;
    const firn_ballistic_particles to = pointers(m);
    for (firn_local p = 0; p < seeds->count; p++) {
        to.position[p] = seeds->position[p];
        to.velocity[p] = seeds->velocity[p];
        to.mass[p] = seeds->mass[p];
        to.material[p] = seeds->material[p];
        to.id[p] = (uint32_t)p;
    }
    return FIRN_OK;
}

static firn_result create(const firn_scene_data* scene, const firn_seeds* seeds,
                          const firn_solver_args* args, void** out_self, firn_error* error)
{
    ballistic* m = firn_alloc(1, sizeof *m);
    if (m == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    m->scene = scene;
    m->def = *(const firn_ballistic_def*)scene->solver_def;
    m->threads = args->threads;
#define REGISTER(field, type, kind, unit, step, when)                                       \
    {                                                                                       \
        const int f = firn_particles_add_field(&m->store, #field, unit, FIRN_FIELD_##kind); \
        m->store.fields[f].changes = FIRN_CHANGES_##when;                                   \
    }
    FIRN_BALLISTIC_FIELDS(REGISTER)
#undef REGISTER
    const size_t bodies = (size_t)scene->collider_count;
    m->colliders = firn_alloc(bodies + 1, sizeof *m->colliders);
    if (m->colliders == NULL || (seeds != NULL && take_seeds(m, seeds) != FIRN_OK) ||
        firn_colliders_copy(scene->colliders, scene->collider_count, m->colliders) != FIRN_OK) {
        destroy(m);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d particles",
                         seeds != NULL ? (int)seeds->count : 0);
    }
    m->collider_count = scene->collider_count;
    *out_self = m;
    return FIRN_OK;
}

static void sum_up(const ballistic* m, firn_step_report* out)
{
    const firn_ballistic_particles p = pointers(m);
    const double* g = m->scene->gravity;
    for (firn_local k = 0; k < m->store.count; k++) {
        const double mass = p.mass[k];
        const double v[3] = {p.velocity[k].x, p.velocity[k].y, p.velocity[k].z};
        const double x[3] = {p.position[k].x, p.position[k].y, p.position[k].z};
        double speed2 = 0;
        for (int d = 0; d < 3; d++) {
            out->momentum[d] += mass * v[d];
            out->potential -= mass * g[d] * x[d];
            speed2 += v[d] * v[d];
        }
        out->kinetic += 0.5 * mass * speed2;
        out->max_speed = fmax(out->max_speed, sqrt(speed2));
    }
}

static firn_result step(void* self, double time, double dt_limit, double dt_scale,
                        firn_step_report* out_report, firn_error* error)
{
    ballistic* m = self;
    const double start = firn_seconds();
    firn_local culled;
    FIRN_TRY(firn_cull(&m->culler, m->scene, &m->store, time, m->threads, &culled, error));
    const double steps = ceil(dt_limit / (m->def.dt * dt_scale) - 1e-6);
    const double dt = steps <= 1 ? dt_limit : dt_limit / steps;
    *out_report = (firn_step_report){.step = m->step,
                                     .time = time,
                                     .dt = dt,
                                     .plastic_min = 1,
                                     .plastic_max = 1,
                                     .particle_count = m->store.count,
                                     .culled = culled};
    sum_up(m, out_report);
    if (!isfinite(out_report->kinetic))
        return firn_fail(error, FIRN_BROKEN_DIVERGED, "step %lld: a velocity is not finite",
                         (long long)m->step);
    for (firn_local c = 0; c < m->collider_count; c++)
        FIRN_TRY(firn_collider_move(&m->colliders[c], &m->scene->shapes, time, error));
    const firn_ballistic_particles p = pointers(m);
    firn_ballistic_fall(&(firn_ballistic_fall_args){
        .particle_count = m->store.count,
        .gravity = firn_v3((firn_real)m->scene->gravity[0], (firn_real)m->scene->gravity[1],
                           (firn_real)m->scene->gravity[2]),
        .dt = (firn_real)dt,
        .colliders = m->colliders,
        .collider_count = m->collider_count,
        .shapes = &m->scene->shapes,
        .position = p.position,
        .velocity = p.velocity,
        .threads = m->threads});
    m->step++;
    out_report->stage_seconds[0] = firn_seconds() - start;
    return FIRN_OK;
}

static firn_particles* particles(void* self)
{
    return &((ballistic*)self)->store;
}

static firn_local count(const void* self)
{
    return ((const ballistic*)self)->store.count;
}

static firn_collider* colliders(void* self, firn_local* out_count)
{
    *out_count = ((ballistic*)self)->collider_count;
    return ((ballistic*)self)->colliders;
}

static void density(const void* self, firn_real* out_density)
{
    const ballistic* m = self;
    const firn_ballistic_particles p = pointers(m);
    for (firn_local k = 0; k < m->store.count; k++)
        out_density[k] = m->scene->materials[p.material[k]].snow.density;
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
                                  .bytes_per_particle = 100,
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
    memcpy(block, &((const ballistic*)self)->step, sizeof(int64_t));
}

static firn_result extra_restore(void* self, const void* block, size_t size)
{
    if (size != sizeof(int64_t)) return FIRN_REFUSED_DAMAGED;
    memcpy(&((ballistic*)self)->step, block, sizeof(int64_t));
    return FIRN_OK;
}

static const char* const stage_names[] = {"01_fall"};

const firn_solver firn_solver_ballistic = {
    .name = "ballistic",
    .help = "falling particles that do not feel each other: the smallest solver, to start from",
    .backends = "cpu",
    .deterministic = "cpu",
    .keys = &firn_ballistic_keys,
    .stage_names = stage_names,
    .stage_count = 1,
    .check = check,
    .estimate = estimate,
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
