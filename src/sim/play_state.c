// SPDX-License-Identifier: MIT
// Layout of the block: a head, a row per collider, then a tail if gravity or wind were set.
#include "sim/play_state.h"

#include <math.h>
#include <string.h>

#include "geometry/collider/collider_drive.h"
#include "sim/world/world.h"

typedef struct head {
    double temperature;  // [degC]; NaN: as in the scene
    int64_t colliders;   // number of rows
} head;

typedef struct row {
    int64_t driven;  // 1: moved by the caller, as below; 0: not
    double time;     // [s]
    firn_vec3 position, velocity, spin;
    firn_quat rotation;
    firn_real scale;
} row;

typedef struct tail {
    int64_t gravity_set, wind_set;  // 1: as below; 0: as in the scene
    double gravity[3];              // [m/s^2]
    double wind[3];                 // [m/s]
} tail;

static firn_collider* colliders_of(const firn_sim* sim, firn_local* out_count)
{
    *out_count = 0;
    return sim->solver->colliders != NULL ? sim->solver->colliders(sim->self, out_count) : NULL;
}

static bool has_tail(const firn_sim* sim)
{
    return sim->gravity_set || sim->wind_set;
}

size_t firn_play_size(const firn_sim* sim)
{
    firn_local count;
    const firn_collider* collider = colliders_of(sim, &count);
    bool changed = sim->weather_set || has_tail(sim);
    for (firn_local c = 0; c < count; c++)
        changed = changed || collider[c].moved_by == FIRN_MOVED_BY_CALLER;
    if (!changed) return 0;
    return sizeof(head) + (size_t)count * sizeof(row) + (has_tail(sim) ? sizeof(tail) : 0);
}

static void save_tail(const firn_sim* sim, char* to)
{
    tail t = {.gravity_set = sim->gravity_set, .wind_set = sim->wind_set};
    if (sim->gravity_set) memcpy(t.gravity, sim->scene.gravity, sizeof t.gravity);
    if (sim->wind_set) memcpy(t.wind, sim->scene.air.velocity, sizeof t.wind);
    memcpy(to, &t, sizeof t);
}

void firn_play_save(const firn_sim* sim, void* block)
{
    const size_t size = firn_play_size(sim);
    if (size == 0) return;
    memset(block, 0, size);  // padding is written too
    firn_local count;
    const firn_collider* collider = colliders_of(sim, &count);
    const head h = {sim->weather_set ? sim->scene.air.temperature : NAN, count};
    memcpy(block, &h, sizeof h);
    for (firn_local c = 0; c < count; c++) {
        row r;
        memset(&r, 0, sizeof r);
        const firn_motion* at = &collider[c].drive;
        if (collider[c].moved_by == FIRN_MOVED_BY_CALLER) {
            r.driven = 1;
            r.time = collider[c].drive_time;
            r.position = at->position;
            r.velocity = at->velocity;
            r.spin = at->spin;
            r.rotation = at->rotation;
            r.scale = at->scale;
        }
        memcpy((char*)block + sizeof h + (size_t)c * sizeof r, &r, sizeof r);
    }
    if (has_tail(sim)) save_tail(sim, (char*)block + size - sizeof(tail));
}

void firn_play_release(firn_sim* sim)
{
    firn_local count;
    firn_collider* collider = colliders_of(sim, &count);
    for (firn_local c = 0; c < count; c++)
        if (collider[c].moved_by == FIRN_MOVED_BY_CALLER)
            firn_collider_release(&collider[c], sim->time);
}

// Applies the row to the collider.
static firn_result drive(firn_collider* collider, const row* r)
{
    firn_motion state = firn_motion_at_rest();
    state.position = r->position;
    state.velocity = r->velocity;
    state.spin = r->spin;
    state.rotation = r->rotation;
    state.scale = r->scale;
    firn_error ignored;
    return firn_collider_drive(collider, FIRN_MOVED_BY_CALLER, &state, r->time, &ignored);
}

// Applies all rows; with `check` to copies, so that a refusal changes nothing.
static firn_result put_rows(firn_collider* colliders, firn_local count, const char* rows,
                            bool check)
{
    for (firn_local c = 0; c < count; c++) {
        row r;
        memcpy(&r, rows + (size_t)c * sizeof r, sizeof r);
        if (r.driven == 0) continue;
        firn_collider copy = colliders[c];
        if (r.driven != 1 || !(fabs(r.time) <= FIRN_MOTION_TIME_MAX) ||
            drive(check ? &copy : &colliders[c], &r) != FIRN_OK)
            return FIRN_REFUSED_DAMAGED;
    }
    return FIRN_OK;
}

static bool tail_is_valid(const firn_sim* sim, const tail* t)
{
    return t->gravity_set >= 0 && t->gravity_set <= 1 && t->wind_set >= 0 && t->wind_set <= 1 &&
           firn_world_gravity_is_valid(t->gravity) && firn_world_wind_is_valid(t->wind) &&
           (t->wind_set == 0 || sim->solver->drags);
}

firn_result firn_play_restore(firn_sim* sim, const void* block, size_t size, firn_error* error)
{
    if (size == 0) return FIRN_OK;
    firn_local count;
    firn_collider* colliders = colliders_of(sim, &count);
    head h = {NAN, -1};
    tail t = {0};
    if (size >= sizeof h) memcpy(&h, block, sizeof h);
    const char* rows = (const char*)block + sizeof h;
    if (h.colliders >= 0 && h.colliders <= count) count = (firn_local)h.colliders;
    const size_t known = sizeof h + (size_t)count * sizeof(row);
    if (size == known + sizeof t) memcpy(&t, (const char*)block + known, sizeof t);
    if (h.colliders != count || (size != known && size != known + sizeof t) ||
        (!isnan(h.temperature) && !firn_sim_temperature_is_valid(h.temperature)) ||
        !tail_is_valid(sim, &t) || put_rows(colliders, count, rows, true) != FIRN_OK)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "the %zu bytes of the checkpoint about colliders moved by the caller do "
                         "not match a scene with %d colliders",
                         size, (int)count);
    (void)put_rows(colliders, count, rows, false);
    if (t.gravity_set) firn_world_put_gravity(sim, t.gravity);
    if (t.wind_set) firn_world_put_wind(sim, t.wind);
    return !isnan(h.temperature) ? firn_sim_change_weather(sim, h.temperature)
                                 : firn_sim_colliders_changed(sim);
}
