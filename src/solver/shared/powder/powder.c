// SPDX-License-Identifier: MIT
// Powder: its points, how they fly, and ticks.
#include "solver/shared/powder/powder.h"

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/sdf/evaluate.h"
#include "physics/contact.h"
#include "scene/data/scene.h"
#include "scene/run/gravity.h"
#include "scene/run/wind.h"
#include "solver/shared/base.h"

firn_powder_law firn_powder_law_of(const firn_powder_block* b)
{
    return (firn_powder_law){.rate = b->rate,
                             .speed = b->speed,
                             .points = b->points,
                             .amount = b->amount,
                             .size = b->size,
                             .life = b->life,
                             .spread = b->spread,
                             .seed = b->seed};
}

// ---- points -------------------------------------------------------------------------------------

void firn_powder_point_to(firn_powder* w)
{
    void** const arrays[] = {(void**)&w->position, (void**)&w->velocity, (void**)&w->age,
                             (void**)&w->life,     (void**)&w->mass,     (void**)&w->material,
                             (void**)&w->id};
    for (int f = 0; f < w->store.field_count; f++) *arrays[f] = w->store.fields[f].data;
}

static void add_fields(firn_particles* store)
{
    firn_particles_add_field(store, "position", "m", FIRN_FIELD_VEC3);
    firn_particles_add_field(store, "velocity", "m/s", FIRN_FIELD_VEC3);
    firn_particles_add_field(store, "age", "s", FIRN_FIELD_REAL);
    firn_particles_add_field(store, "life", "s", FIRN_FIELD_REAL);
    firn_particles_add_field(store, "mass", "kg", FIRN_FIELD_REAL);
    firn_particles_add_field(store, "material", "", FIRN_FIELD_U8);
    firn_particles_add_field(store, "id", "", FIRN_FIELD_U32);
}

firn_powder* firn_powder_create(void)
{
    firn_powder* w = firn_alloc(1, sizeof *w);
    if (w != NULL) add_fields(&w->store);
    return w;
}

void firn_powder_destroy(firn_powder* w)
{
    if (w == NULL) return;
    firn_particles_destroy(&w->store);
    firn_snapshot_destroy(&w->snapshot);
    firn_free(w->chunk);
    firn_free(w->kept);
    firn_free(w);
}

size_t firn_powder_bytes_each(void)
{
    firn_particles store = {0};
    add_fields(&store);
    return 2 * firn_particles_bytes_each(&store) + sizeof(firn_local);
}

// ---- flight -------------------------------------------------------------------------------------

typedef struct flight {
    firn_powder* w;
    firn_powder_law law;
    const firn_solver_base* base;
    firn_shape_tables shapes;
    firn_vec3 gravity;
    double middle, dt;  // [s]
} flight;

// Contact with colliders: points do not bounce, and slide with friction; they are put back on the
// surface.
static void collide(const flight* f, firn_vec3* x, firn_vec3* v)
{
    for (firn_local c = 0; c < f->base->collider_count; c++) {
        const firn_collider* body = &f->base->colliders[c];
        if (firn_collider_misses(body, *x)) continue;
        firn_vec3 n;
        const firn_real phi = firn_collider_sample_shared(body, &f->shapes, *x, &n);
        if (phi > 0) continue;
        *v = firn_contact_velocity(*v, firn_collider_velocity(body, *x), n, body->friction,
                                   body->sticky);
        *x = firn_v3_madd(*x, -phi, n);
    }
}

static void fly(const flight* f, firn_local k)
{
    firn_powder* w = f->w;
    const firn_scene_data* scene = f->base->scene;
    const firn_vec3 x = w->position[k], v = w->velocity[k];
    const firn_vec3 wind = firn_wind(scene, x, f->middle);
    firn_vec3 g = f->gravity;
    if (scene->force_count > 0) g = firn_v3_add(g, firn_scene_force(scene, x, f->middle));
    // a scene without air has still air for powder: without drag it would not be any
    const firn_real rate =
        firn_powder_drag(&f->law, firn_v3_length(firn_v3_sub(v, wind)),
                         (firn_real)scene->air.density, (firn_real)scene->air.viscosity);
    firn_powder_fly(&w->position[k], &w->velocity[k], wind, g, (double)rate, f->dt);
    collide(f, &w->position[k], &w->velocity[k]);
}

static void fly_range(const void* self, firn_local begin, firn_local end)
{
    const flight* f = self;
    for (firn_local k = begin; k < end; k++) {
        fly(f, k);
        f->w->age[k] += (firn_real)f->dt;
    }
}

// True for points that are drawn no longer, or are lost.
bool firn_powder_is_over(const firn_powder* w, firn_local k)
{
    return !(w->age[k] < w->life[k]) || !firn_v3_is_finite(w->position[k]) ||
           !firn_v3_is_finite(w->velocity[k]);
}

static firn_result drop_faded(firn_powder* w)
{
    firn_local first = 0;
    while (first < w->store.count && !firn_powder_is_over(w, first)) first++;
    if (first == w->store.count) return FIRN_OK;
    if (!firn_reserve((void**)&w->kept, &w->kept_capacity, w->store.capacity, sizeof *w->kept))
        return FIRN_BROKEN_MEMORY;
    firn_local n = 0;
    for (firn_local k = 0; k < w->store.count; k++)
        if (k < first || !firn_powder_is_over(w, k)) w->kept[n++] = k;
    firn_particles_keep(&w->store, w->kept, n);
    return FIRN_OK;
}

// ---- ticks --------------------------------------------------------------------------------------

// The points that exist fly until the end of a tick of dt [s].
static firn_result move(firn_powder* w, const firn_solver_base* base, double time, double dt)
{
    const double middle = time - 0.5 * dt;
    const flight f = {w,
                      firn_powder_law_of(&base->scene->powder),
                      base,
                      firn_shapes_tables(&base->scene->shapes),
                      firn_scene_gravity(base->scene, middle),
                      middle,
                      dt};
    firn_share(w->store.count, 64, fly_range, &f);
    w->clock.moved += w->store.count;
    return drop_faded(w);
}

static firn_result no_memory(const firn_powder* w, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "out of memory for %d points of powder: lower powder.max",
                     (int)w->store.count);
}

static void end_tick(firn_powder* w, double time)
{
    w->clock.time = time;
    w->clock.count = w->store.count;
}

firn_result firn_powder_step(firn_powder* w, firn_solver_base* base, const firn_powder_snow* snow,
                             firn_error* error)
{
    const double time = base->time + base->dt, dt = time - w->clock.time;
    const bool at_goal = base->dt >= base->dt_limit;  // a frame, or what the caller asked for
    if (!at_goal && dt < firn_powder_tick_least(base->scene->powder.tick)) return FIRN_OK;
    if (move(w, base, time, dt) != FIRN_OK || firn_powder_shed(w, base, snow, time, dt) != FIRN_OK)
        return no_memory(w, error);
    end_tick(w, time);
    return FIRN_OK;
}

firn_result firn_powder_take(firn_powder* w, firn_solver_base* base, const firn_powder_birth* born,
                             firn_local count, int64_t lost, firn_error* error)
{
    const double time = base->time + base->dt, dt = time - w->clock.time;
    if (move(w, base, time, dt) != FIRN_OK ||
        firn_powder_append(w, base, born, count, lost) != FIRN_OK)
        return no_memory(w, error);
    end_tick(w, time);
    return FIRN_OK;
}
