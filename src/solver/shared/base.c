// SPDX-License-Identifier: MIT
#include "solver/shared/base.h"

#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "math/vec3.h"
#include "scene/data/scene.h"
#include "scene/run/gravity.h"
#include "solver/shared/device_run.h"

firn_result firn_base_create(size_t size, const firn_scene_data* scene,
                             const firn_solver_args* args, void** out_self, firn_error* error)
{
    firn_solver_base* base = firn_alloc(1, size);
    if (base == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    base->scene = scene;
    base->log = args->log;
    base->colliders = firn_alloc((size_t)scene->collider_count + 1, sizeof *base->colliders);
    if (base->colliders == NULL ||
        firn_colliders_copy(scene->colliders, scene->collider_count, base->colliders) != FIRN_OK ||
        firn_loads_create(scene->colliders, scene->collider_count, &scene->shapes, &base->loads) !=
            FIRN_OK) {
        firn_base_destroy(base);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d colliders",
                         (int)scene->collider_count);
    }
    base->collider_count = scene->collider_count;
    const firn_result r =
        firn_bodies_create(base->colliders, base->collider_count, scene->joints, scene->joint_count,
                           &scene->shapes, &base->bodies, error);
    if (r != FIRN_OK)
        firn_base_destroy(base);
    else
        *out_self = base;
    return r;
}

void firn_base_destroy(void* self)
{
    firn_solver_base* base = self;
    firn_device_run_destroy(base->device_run);
    if (base->colliders != NULL) firn_colliders_destroy(base->colliders, base->collider_count);
    firn_free(base->colliders);
    firn_loads_destroy(&base->loads);
    firn_bodies_destroy(base->bodies);
    firn_particles_destroy(&base->store);
    firn_culler_destroy(&base->culler);
    firn_free(base);
}

firn_result firn_base_no_memory(const firn_seeds* seeds, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d particles",
                     seeds != NULL ? (int)seeds->count : 0);
}

void firn_base_add_fields(firn_solver_base* base, const firn_field_row* rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const firn_field_row* row = &rows[k];
        const int f = firn_particles_add_field(&base->store, row->name, row->unit, row->type);
        base->store.fields[f].changes = row->changes;
        base->store.fields[f].values = row->values;
        base->rows[f] = row;
    }
}

firn_result firn_base_append_fields(firn_solver_base* base, const firn_field_row* rows,
                                    size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const firn_field_row* row = &rows[k];
        FIRN_TRY(firn_particles_append_field(&base->store, row->name, row->unit, row->type));
        const int f = base->store.field_count - 1;
        base->store.fields[f].changes = row->changes;
        base->store.fields[f].values = row->values;
        base->rows[f] = row;
    }
    return FIRN_OK;
}

void firn_base_point(const firn_solver_base* base, void* pointers)
{
    for (int f = 0; f < base->store.field_count; f++)
        memcpy((char*)pointers + base->rows[f]->pointer, &base->store.fields[f].data,
               sizeof base->store.fields[f].data);
}

// The array of the seeds that a field is copied from; null: none.
static const void* seeds_of(const firn_seeds* s, const char* field)
{
    const struct {
        const char* field;
        const void* array;
    } arrays[] = {{"position", s->position},
                  {"velocity", s->velocity},
                  {"mass", s->mass},
                  {"stiffness", s->stiffness},
                  {"material", s->material},
                  {"hardening", s->hardening},
                  {"compression", s->compression},
                  {"stretch", s->stretch},
                  {"temperature", s->temperature}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (strcmp(arrays[k].field, field) == 0) return arrays[k].array;
    return NULL;
}

// Factors on constants of the material: 1 unless the seeds say otherwise.
static bool is_factor(const char* field)
{
    return strcmp(field, "stiffness") == 0 || strcmp(field, "hardening") == 0 ||
           strcmp(field, "compression") == 0 || strcmp(field, "stretch") == 0;
}

static void fill_field(const firn_field* field, const firn_seeds* seeds, firn_local first,
                       uint32_t next_id)
{
    const size_t count = (size_t)seeds->count;
    void* to = (char*)field->data + (size_t)first * field->size;
    const void* from = seeds_of(seeds, field->name);
    if (from != NULL)
        memcpy(to, from, count * field->size);
    else if (strcmp(field->name, "id") == 0)
        for (size_t k = 0; k < count; k++) ((uint32_t*)to)[k] = next_id + (uint32_t)k;
    else if (is_factor(field->name))
        for (size_t k = 0; k < count; k++) ((firn_real*)to)[k] = 1;
    else
        memset(to, 0, count * field->size);
}

firn_result firn_base_append(firn_solver_base* base, const firn_seeds* seeds, uint32_t* next_id)
{
    const firn_local first = base->store.count;
    const int64_t count = (int64_t)first + seeds->count;
    if (count > INT32_MAX) return FIRN_BROKEN_MEMORY;
    if (count > base->store.capacity) {
        // snowfall adds a few flakes per step: avoid an allocation in each of them
        const int64_t room = first > 0 ? count + count / 4 : count;
        FIRN_TRY(firn_particles_reserve(&base->store,
                                        (firn_local)(room < INT32_MAX ? room : INT32_MAX)));
    }
    for (int f = 0; f < base->store.field_count && seeds->count > 0; f++)
        fill_field(&base->store.fields[f], seeds, first, *next_id);
    base->store.count = (firn_local)count;
    *next_id += (uint32_t)seeds->count;
    return FIRN_OK;
}

firn_result firn_base_cull(firn_solver_base* base, firn_error* error)
{
    return firn_cull(&base->culler, base->scene, &base->store, base->time, &base->culled, error);
}

firn_result firn_base_move_colliders(firn_solver_base* base, firn_error* error)
{
    for (firn_local c = 0; c < base->collider_count; c++)
        FIRN_TRY(firn_collider_move(&base->colliders[c], &base->scene->shapes, base->time, error));
    return FIRN_OK;
}

firn_result firn_base_collider_added(void* self, firn_error* error)
{
    firn_solver_base* base = self;
    const firn_scene_data* scene = base->scene;
    const size_t n = (size_t)base->collider_count;
    firn_collider* more = firn_alloc(n + 1, sizeof *more);
    firn_result r =
        more != NULL ? firn_collider_copy(&scene->colliders[n], &more[n]) : FIRN_BROKEN_MEMORY;
    firn_loads loads = {0};
    if (r == FIRN_OK) r = firn_loads_grown(&base->loads, &more[n], &scene->shapes, &loads);
    if (r != FIRN_OK) firn_fail(error, r, "out of memory for another collider");
    if (r == FIRN_OK)
        r = firn_bodies_add(base->bodies, &more[n], (firn_local)n, &scene->shapes, error);
    if (r != FIRN_OK) {
        if (more != NULL) firn_collider_destroy(&more[n]);
        firn_free(more);
        firn_loads_destroy(&loads);
        return r;
    }
    firn_loads_destroy(&base->loads);
    base->loads = loads;
    memcpy(more, base->colliders, n * sizeof *more);  // with what they own
    firn_free(base->colliders);
    base->colliders = more;
    base->collider_count++;
    firn_device_run_rebuild(base);
    return FIRN_OK;
}

typedef struct measure {
    const firn_vec3 *position, *velocity;
    firn_real far;
    firn_real* most;  // out: the largest |v|^2
    firn_local* bad;  // out: the first particle that is not finite or too far
} measure;

static void measure_range(const void* self, firn_local begin, firn_local end)
{
    const measure* m = self;
    const firn_real far = m->far;
    firn_real most = 0;
    firn_local bad = INT32_MAX;
    for (firn_local i = begin; i < end; i++) {
        const firn_real speed2 = firn_v3_dot(m->velocity[i], m->velocity[i]);
        const firn_vec3 x = m->position[i];
        const bool here = firn_abs(x.x) < far && firn_abs(x.y) < far && firn_abs(x.z) < far;
        if (!(speed2 < FIRN_REAL_MAX && here) && i < bad) bad = i;
        most = firn_max(speed2, most);
    }
    firn_atomic_max(m->most, most);
    firn_atomic_min(m->bad, bad);
}

firn_local firn_base_measure(firn_solver_base* base, const firn_vec3* position,
                             const firn_vec3* velocity, double reach)
{
    firn_real most = 0;
    firn_local bad = base->store.count;
    const measure m = {position, velocity, (firn_real)reach, &most, &bad};
    firn_share(base->store.count, 4096, measure_range, &m);  // 1 to 2 ns a particle
    base->max_speed = sqrt((double)most);
    return bad;
}

typedef struct push {
    const firn_scene_data* scene;
    double time;   // [s]
    firn_real dt;  // [s]
    const firn_vec3* position;
    firn_vec3* velocity;
} push;

static void push_range(const void* self, firn_local begin, firn_local end)
{
    const push* j = self;
    for (firn_local p = begin; p < end; p++)
        j->velocity[p] = firn_v3_madd(j->velocity[p], j->dt,
                                      firn_scene_force(j->scene, j->position[p], j->time));
}

static double middle_of(const firn_solver_base* base)
{
    return base->time + 0.5 * base->dt;
}

void firn_base_apply_forces(firn_solver_base* base, const firn_vec3* position, firn_vec3* velocity)
{
    if (base->scene->force_count == 0) return;
    const push job = {base->scene, middle_of(base), (firn_real)base->dt, position, velocity};
    firn_share(base->store.count, 256, push_range, &job);
}

firn_vec3 firn_base_gravity(const firn_solver_base* base)
{
    return firn_scene_gravity(base->scene, middle_of(base));
}

firn_result firn_base_refuse(const char* name, firn_local particle, double value,
                             const char* expected, firn_error* error)
{
    if (particle < 0)
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "'%s' is %g; expected is %s", name, value,
                         expected);
    return firn_fail(error, FIRN_REFUSED_DAMAGED, "'%s' of particle %d is %g; expected is %s", name,
                     (int)particle, value, expected);
}

firn_result firn_base_check_steps(const char* name, int64_t steps, firn_error* error)
{
    if (steps >= 0 && steps <= FIRN_STEPS_MAX) return FIRN_OK;
    return firn_base_refuse(name, -1, (double)steps, "0 to 2^53", error);
}

firn_result firn_base_refuse_size(size_t size, size_t expected, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "the state beside the particles has %zu bytes; expected are %zu", size,
                     expected);
}

firn_result firn_base_check_ids(const firn_solver_base* base, uint32_t next_id, firn_error* error)
{
    const firn_field* field = firn_particles_find(&base->store, "id");
    const uint32_t* id = field->data;
    for (firn_local p = 0; p < base->store.count; p++)
        if (id[p] >= next_id)
            return firn_base_refuse("id", p, id[p], "less than the number of particles so far",
                                    error);
    return FIRN_OK;
}

firn_particles* firn_base_particles(void* self)
{
    return &((firn_solver_base*)self)->store;
}

firn_local firn_base_count(const void* self)
{
    return ((const firn_solver_base*)self)->store.count;
}

firn_collider* firn_base_colliders(void* self, firn_local* out_count)
{
    firn_solver_base* base = self;
    *out_count = base->collider_count;
    return base->colliders;
}

const firn_collider_load* firn_base_loads(const void* self)
{
    return ((const firn_solver_base*)self)->loads.last;
}
