// SPDX-License-Identifier: MIT
#include "solver/shared/powder.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
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

#define CHUNK 1024  // particles of snow whose points are counted together

// ---- points -------------------------------------------------------------------------------------

static void point(firn_powder* w)
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

// Room for `count` points; grows by half, at most to `max`.
static firn_result reserve(firn_powder* w, int64_t count, int64_t max)
{
    if (count <= w->store.capacity) return FIRN_OK;
    int64_t room = count + count / 2 + 1024;
    if (room > max) room = max;
    const firn_result r = firn_particles_reserve(&w->store, (firn_local)room);
    point(w);
    return r;
}

// ---- flight -------------------------------------------------------------------------------------

typedef struct flight {
    firn_powder* w;
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
        firn_powder_drag(&scene->powder.law, firn_v3_length(firn_v3_sub(v, wind)),
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
static bool is_over(const firn_powder* w, firn_local k)
{
    return !(w->age[k] < w->life[k]) || !firn_v3_is_finite(w->position[k]) ||
           !firn_v3_is_finite(w->velocity[k]);
}

static firn_result drop_faded(firn_powder* w)
{
    firn_local first = 0;
    while (first < w->store.count && !is_over(w, first)) first++;
    if (first == w->store.count) return FIRN_OK;
    if (!firn_reserve((void**)&w->kept, &w->kept_capacity, w->store.capacity, sizeof *w->kept))
        return FIRN_BROKEN_MEMORY;
    firn_local n = 0;
    for (firn_local k = 0; k < w->store.count; k++)
        if (k < first || !is_over(w, k)) w->kept[n++] = k;
    firn_particles_keep(&w->store, w->kept, n);
    return FIRN_OK;
}

// ---- shedding -----------------------------------------------------------------------------------

typedef struct shedding {
    firn_powder* w;
    const firn_solver_base* base;
    const firn_powder_snow* snow;
    double time, dt;  // [s] end and length of the tick
    int64_t* chunk;   // [chunks] how many; then: where they begin
    int64_t room;     // points from here on do not fit
    int64_t first;    // index of the first new point
} shedding;

// Share of particle p's mass that has broken, with this tick.
static firn_real broken_now(const shedding* s, firn_local p)
{
    const firn_powder_snow* a = s->snow;
    const firn_powder_law* law = &s->base->scene->powder.law;
    if (a->plastic_det[p] == a->broken_det[p]) return a->broken_share[p];
    const firn_vec3 wind = firn_wind(s->base->scene, a->position[p], s->time);
    const double speed = (double)firn_v3_length(firn_v3_sub(a->velocity[p], wind));
    // the last factor is the expensive one
    double more = firn_powder_broken(law, (double)a->broken_det[p], (double)a->plastic_det[p],
                                     s->dt, speed, 1);
    if (more > 0)
        more = firn_powder_broken(law, (double)a->broken_det[p], (double)a->plastic_det[p], s->dt,
                                  speed, (double)a->open(a->self, p));
    return a->broken_share[p] + (firn_real)more;
}

static void count_chunks(const void* self, firn_local begin, firn_local end)
{
    const shedding* s = self;
    const firn_powder_snow* a = s->snow;
    const firn_powder_law* law = &s->base->scene->powder.law;
    for (firn_local c = begin; c < end; c++) {
        const firn_local last = a->count - c * CHUNK < CHUNK ? a->count : (c + 1) * CHUNK;
        int64_t sum = 0;
        for (firn_local p = c * CHUNK; p < last; p++) {
            const firn_real broken = broken_now(s, p);
            if (broken > a->broken_share[p])
                sum += firn_powder_number(law, a->id[p], (double)broken) -
                       firn_powder_number(law, a->id[p], (double)a->broken_share[p]);
        }
        s->chunk[c] = sum;
    }
}

// Point `number` of particle p, at index k.
static void add_point(const shedding* s, firn_local p, int64_t number, int64_t k)
{
    const firn_powder_snow* a = s->snow;
    const firn_powder_law* law = &s->base->scene->powder.law;
    firn_powder* w = s->w;
    const firn_vec3 wind = firn_wind(s->base->scene, a->position[p], s->time);
    const firn_powder_point born = firn_powder_born(law, a->id[p], number, a->position[p],
                                                    a->velocity[p], wind, a->spacing, s->dt);
    w->position[k] = born.position;
    w->velocity[k] = born.velocity;
    w->age[k] = born.age;
    w->life[k] = born.life;
    w->mass[k] = (firn_real)firn_powder_mass(law, (double)a->mass[p]);
    w->material[k] = a->material[p];
    w->id[k] = FIRN_POWDER_ID | (w->clock.next_id + (uint32_t)(k - s->first));
}

static void fill_chunks(const void* self, firn_local begin, firn_local end)
{
    const shedding* s = self;
    const firn_powder_snow* a = s->snow;
    const firn_powder_law* law = &s->base->scene->powder.law;
    for (firn_local c = begin; c < end; c++) {
        const firn_local last = a->count - c * CHUNK < CHUNK ? a->count : (c + 1) * CHUNK;
        int64_t k = s->chunk[c];
        for (firn_local p = c * CHUNK; p < last; p++) {
            const firn_real broken = broken_now(s, p);
            if (broken > a->broken_share[p]) {
                const int64_t end_number = firn_powder_number(law, a->id[p], (double)broken);
                for (int64_t n = firn_powder_number(law, a->id[p], (double)a->broken_share[p]);
                     n < end_number; n++, k++)
                    if (k < s->room) add_point(s, p, n, k);
            }
            a->broken_share[p] = broken;
            a->broken_det[p] = a->plastic_det[p];
        }
    }
}

static void warn_once(firn_powder* w, const firn_solver_base* base, int64_t lost)
{
    if (w->full) return;
    w->full = true;
    firn_log_write(&base->log, FIRN_LOG_WARNING, "powder.full",
                   "powder: there are as many points as powder.max allows, %lld; %lld of a tick "
                   "are left out: raise it, or lower powder.points or powder.life",
                   (long long)base->scene->powder.max, (long long)lost);
}

// Points that were added, and that did not fit.
static void count_new(firn_powder* w, const firn_solver_base* base, int64_t added, int64_t lost)
{
    w->clock.next_id = (w->clock.next_id + (uint32_t)added) & (FIRN_POWDER_ID - 1);
    w->clock.shed += added;
    w->clock.dropped += lost;
    if (lost > 0) warn_once(w, base, lost);
}

static firn_result shed(firn_powder* w, const firn_solver_base* base, const firn_powder_snow* snow,
                        double time, double dt)
{
    const firn_local chunks = snow->count / CHUNK + (snow->count % CHUNK != 0);
    if (!firn_reserve((void**)&w->chunk, &w->chunk_capacity, chunks + 1, sizeof *w->chunk))
        return FIRN_BROKEN_MEMORY;
    shedding s = {w, base, snow, time, dt, w->chunk, 0, w->store.count};
    firn_share(chunks, 4, count_chunks, &s);
    int64_t end = w->store.count;
    for (firn_local c = 0; c < chunks; c++) {
        const int64_t n = s.chunk[c];
        s.chunk[c] = end;
        end += n;
    }
    const int64_t max = base->scene->powder.max;
    s.room = end < max ? end : max;
    FIRN_TRY(reserve(w, s.room, max));
    firn_share(chunks, 4, fill_chunks, &s);
    const int64_t added = s.room - s.first, lost = end - s.room;
    w->store.count = (firn_local)s.room;
    count_new(w, base, added, lost);
    return FIRN_OK;
}

// The points that exist fly until the end of a tick of dt [s].
static firn_result move(firn_powder* w, const firn_solver_base* base, double time, double dt)
{
    const double middle = time - 0.5 * dt;
    const flight f = {w,
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
    if (move(w, base, time, dt) != FIRN_OK || shed(w, base, snow, time, dt) != FIRN_OK)
        return no_memory(w, error);
    end_tick(w, time);
    return FIRN_OK;
}

// Appends `count` points.
static firn_result append(firn_powder* w, const firn_powder_birth* born, int64_t count, int64_t max)
{
    const int64_t first = w->store.count;
    FIRN_TRY(reserve(w, first + count, max));
    for (int64_t n = 0; n < count; n++) {
        const firn_powder_birth* b = &born[n];
        const int64_t k = first + n;
        w->position[k] = b->point.position;
        w->velocity[k] = b->point.velocity;
        w->age[k] = b->point.age;
        w->life[k] = b->point.life;
        w->mass[k] = b->mass;
        w->material[k] = (uint8_t)b->material;
        w->id[k] = FIRN_POWDER_ID | (w->clock.next_id + (uint32_t)n);
    }
    w->store.count = (firn_local)(first + count);
    return FIRN_OK;
}

firn_result firn_powder_take(firn_powder* w, firn_solver_base* base, const firn_powder_birth* born,
                             firn_local count, int64_t lost, firn_error* error)
{
    const double time = base->time + base->dt, dt = time - w->clock.time;
    const int64_t max = base->scene->powder.max;
    if (move(w, base, time, dt) != FIRN_OK) return no_memory(w, error);
    const int64_t room = max - w->store.count, added = count < room ? count : room;
    if (append(w, born, added, max) != FIRN_OK) return no_memory(w, error);
    count_new(w, base, added, lost + count - added);
    end_tick(w, time);
    return FIRN_OK;
}

// ---- state --------------------------------------------------------------------------------------

firn_result firn_powder_snapshot_take(firn_powder* w)
{
    w->snapshot_clock = w->clock;
    return firn_snapshot_take(&w->snapshot, &w->store, true);
}

firn_result firn_powder_snapshot_restore(firn_powder* w)
{
    FIRN_TRY(firn_snapshot_restore(&w->snapshot, &w->store, false));
    point(w);
    w->clock = w->snapshot_clock;
    return FIRN_OK;
}

size_t firn_powder_size(const firn_powder* w)
{
    return sizeof w->clock + (size_t)w->store.count * firn_particles_bytes_each(&w->store);
}

void firn_powder_save(const firn_powder* w, void* block)
{
    char* at = block;
    memcpy(at, &w->clock, sizeof w->clock);
    at += sizeof w->clock;
    for (int f = 0; f < w->store.field_count; f++) {
        const size_t bytes = (size_t)w->store.count * w->store.fields[f].size;
        if (bytes > 0) memcpy(at, w->store.fields[f].data, bytes);
        at += bytes;
    }
}

static firn_result check_clock(const firn_powder_clock* c, const firn_powder_block* powder,
                               size_t size, size_t bytes_each, firn_error* error)
{
    if (c->count < 0 || c->count > powder->max || size != sizeof *c + (size_t)c->count * bytes_each)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "its powder has %d points in %zu bytes; expected are at most %lld points "
                         "of %zu bytes",
                         (int)c->count, size, (long long)powder->max, bytes_each);
    if (!(c->time >= 0 && isfinite(c->time)) || c->shed < 0 || c->dropped < 0 || c->moved < 0 ||
        c->next_id >= FIRN_POWDER_ID)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "the clock of its powder is out of range: %g s, %lld points so far",
                         c->time, (long long)c->shed);
    return FIRN_OK;
}

// The first point with an invalid value; the count: none.
static firn_local find_invalid(const firn_powder* w, firn_local material_count)
{
    for (firn_local k = 0; k < w->store.count; k++)
        if (is_over(w, k) || !(w->age[k] >= 0) || !(w->life[k] < (firn_real)1e9) ||
            !(w->mass[k] >= 0 && w->mass[k] < (firn_real)1e9) || w->material[k] >= material_count)
            return k;
    return w->store.count;
}

firn_result firn_powder_restore(firn_powder* w, const firn_powder_block* powder,
                                firn_local material_count, const void* block, size_t size,
                                firn_error* error)
{
    firn_powder_clock c;
    if (size < sizeof c) return firn_base_refuse_size(size, sizeof c, error);
    memcpy(&c, block, sizeof c);
    FIRN_TRY(check_clock(&c, powder, size, firn_particles_bytes_each(&w->store), error));
    firn_powder* fresh = firn_powder_create();
    if (fresh == NULL || firn_particles_reserve(&fresh->store, c.count) != FIRN_OK) {
        firn_powder_destroy(fresh);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d points of powder",
                         (int)c.count);
    }
    const char* at = (const char*)block + sizeof c;
    fresh->store.count = c.count;
    for (int f = 0; f < fresh->store.field_count; f++) {
        const size_t bytes = (size_t)c.count * fresh->store.fields[f].size;
        if (bytes > 0) memcpy(fresh->store.fields[f].data, at, bytes);
        at += bytes;
    }
    point(fresh);
    const firn_local invalid = find_invalid(fresh, material_count);
    if (invalid < c.count) {
        firn_powder_destroy(fresh);
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "point %d of its powder is out of range",
                         (int)invalid);
    }
    firn_particles_destroy(&w->store);
    w->store = fresh->store;
    fresh->store = (firn_particles){0};
    firn_powder_destroy(fresh);
    point(w);
    w->clock = c;
    return FIRN_OK;
}

uint64_t firn_powder_hash(const firn_powder* w)
{
    return firn_hash(&w->clock, sizeof w->clock, firn_particles_hash(&w->store));
}
