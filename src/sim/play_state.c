// SPDX-License-Identifier: MIT
// Layout of the block: a head, then a row per collider.
#include "sim/play_state.h"

#include <math.h>
#include <string.h>

#include "geometry/collider/collider_drive.h"

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

static firn_collider* colliders_of(const firn_sim* sim, firn_local* out_count)
{
    *out_count = 0;
    return sim->solver->colliders != NULL ? sim->solver->colliders(sim->self, out_count) : NULL;
}

size_t firn_play_size(const firn_sim* sim)
{
    firn_local count;
    const firn_collider* collider = colliders_of(sim, &count);
    bool changed = sim->weather_set;
    for (firn_local c = 0; c < count; c++)
        changed = changed || collider[c].moved_by == FIRN_MOVED_BY_CALLER;
    return changed ? sizeof(head) + (size_t)count * sizeof(row) : 0;
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
        if (r.driven != 1 || !isfinite(r.time) ||
            drive(check ? &copy : &colliders[c], &r) != FIRN_OK)
            return FIRN_REFUSED_DAMAGED;
    }
    return FIRN_OK;
}

firn_result firn_play_restore(firn_sim* sim, const void* block, size_t size, firn_error* error)
{
    if (size == 0) return FIRN_OK;
    firn_local count;
    firn_collider* colliders = colliders_of(sim, &count);
    head h = {NAN, -1};
    if (size >= sizeof h) memcpy(&h, block, sizeof h);
    const char* rows = (const char*)block + sizeof h;
    if (h.colliders != count || size != sizeof h + (size_t)count * sizeof(row) ||
        (!isnan(h.temperature) && !firn_sim_temperature_is_valid(h.temperature)) ||
        put_rows(colliders, count, rows, true) != FIRN_OK)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "the %zu bytes of the checkpoint about colliders moved by the caller do "
                         "not match a scene with %d colliders",
                         size, (int)count);
    (void)put_rows(colliders, count, rows, false);
    return !isnan(h.temperature) ? firn_sim_change_weather(sim, h.temperature)
                                 : firn_sim_colliders_changed(sim);
}
