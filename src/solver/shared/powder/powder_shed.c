// SPDX-License-Identifier: MIT
// What breaking snow sheds in a tick: points are counted by chunks of snow, in the order of which
// they are then appended, so that the result does not depend on threads.
#include "core/memory.h"
#include "core/threads/team.h"
#include "scene/data/scene.h"
#include "scene/run/wind.h"
#include "solver/shared/base.h"
#include "solver/shared/powder/powder.h"

#define CHUNK 1024  // particles of snow whose points are counted together

// Room for `count` points; grows by half, at most to `max`.
static firn_result reserve(firn_powder* w, int64_t count, int64_t max)
{
    if (count <= w->store.capacity) return FIRN_OK;
    int64_t room = count + count / 2 + 1024;
    if (room > max) room = max;
    const firn_result r = firn_particles_reserve(&w->store, (firn_local)room);
    firn_powder_point_to(w);
    return r;
}

typedef struct shedding {
    firn_powder* w;
    firn_powder_law law;
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
    const firn_powder_law* law = &s->law;
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
    const firn_powder_law* law = &s->law;
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
    const firn_powder_law* law = &s->law;
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
    const firn_powder_law* law = &s->law;
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

firn_result firn_powder_append(firn_powder* w, const firn_solver_base* base,
                               const firn_powder_birth* born, firn_local count, int64_t lost)
{
    const int64_t max = base->scene->powder.max, first = w->store.count, room = max - first,
                  added = count < room ? count : room;
    FIRN_TRY(reserve(w, first + added, max));
    for (int64_t n = 0; n < added; n++) {
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
    w->store.count = (firn_local)(first + added);
    count_new(w, base, added, lost + count - added);
    return FIRN_OK;
}

firn_result firn_powder_shed(firn_powder* w, const firn_solver_base* base,
                             const firn_powder_snow* snow, double time, double dt)
{
    const firn_local chunks = snow->count / CHUNK + (snow->count % CHUNK != 0);
    if (!firn_reserve((void**)&w->chunk, &w->chunk_capacity, chunks + 1, sizeof *w->chunk))
        return FIRN_BROKEN_MEMORY;
    shedding s = {w,
                  firn_powder_law_of(&base->scene->powder),
                  base,
                  snow,
                  time,
                  dt,
                  w->chunk,
                  0,
                  w->store.count};
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
