// SPDX-License-Identifier: MIT
#include "sim/edit/state_sections.h"

#include <math.h>
#include <string.h>

#include "geometry/collider/collider.h"
#include "sim/edit/state_particles.h"
#include "sim/play_state.h"
#include "sim/sim_powder.h"
#include "sim/world/world.h"
#include "sim/world/world_state.h"
#include "solver/collider_load.h"

#define COUNT_MAX 9e15  // of frames, steps and particles so far: doubles still tell them apart

static firn_result refuse_size(const char* what, size_t size, size_t expected, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_DAMAGED, "its %s has %zu bytes; expected are %zu", what,
                     size, expected);
}

// ---- clock --------------------------------------------------------------------------------------

typedef struct clock {
    int64_t frame, step, rollbacks, rollbacks_in_frame, culled;
    double time, dt_scale, carry;
    int64_t next_id;
} clock;

static size_t clock_size(const firn_sim* sim)
{
    (void)sim;
    return sizeof(clock);
}

static void clock_save(const firn_sim* sim, char* block)
{
    const clock c = {.frame = sim->frame,
                     .step = sim->step,
                     .rollbacks = sim->rollbacks,
                     .rollbacks_in_frame = sim->rollbacks_in_frame,
                     .culled = sim->culled,
                     .time = sim->time,
                     .dt_scale = sim->dt_scale,
                     .carry = sim->carry,
                     .next_id = sim->next_id};
    memcpy(block, &c, sizeof c);
}

static firn_result clock_restore(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    clock c;
    if (size != sizeof c) return refuse_size("clock", size, sizeof c, error);
    memcpy(&c, block, sizeof c);
    const int64_t counts[] = {c.frame, c.step, c.rollbacks, c.rollbacks_in_frame, c.culled};
    if (c.next_id < 0 || c.next_id > UINT32_MAX)
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "its next id of a particle is %lld",
                         (long long)c.next_id);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        if (counts[k] < 0 || (double)counts[k] > COUNT_MAX)
            return firn_fail(error, FIRN_REFUSED_DAMAGED,
                             "it counts %lld frames, steps, rollbacks or culled particles",
                             (long long)counts[k]);
    const double fps = sim->scene.time.fps;
    if (!(c.time <= FIRN_MOTION_TIME_MAX))
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "its time is %g s, later than %g s", c.time,
                         FIRN_MOTION_TIME_MAX);
    if (!(c.time >= (double)c.frame / fps && c.time < (double)(c.frame + 1) / fps))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "its time is %g s; expected is %g to %g s, as of frame %lld", c.time,
                         (double)c.frame / fps, (double)(c.frame + 1) / fps, (long long)c.frame);
    if (!(c.dt_scale >= FIRN_DT_SCALE_MIN && c.dt_scale <= 1) || !(c.carry <= 0) ||
        !isfinite(c.carry))
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "its 'dt_scale' is %g and its 'carry' %g s",
                         c.dt_scale, c.carry);
    sim->frame = c.frame;
    sim->step = c.step;
    sim->rollbacks = c.rollbacks;
    sim->rollbacks_in_frame = c.rollbacks_in_frame;
    sim->culled = c.culled;
    sim->time = c.time;
    sim->dt_scale = c.dt_scale;
    sim->carry = c.carry;
    sim->next_id = (uint32_t)c.next_id;
    return FIRN_OK;
}

// ---- the solver's own state ---------------------------------------------------------------------

static size_t solver_size(const firn_sim* sim)
{
    return sim->solver->extra_size(sim->self) + firn_sim_powder_size(sim);
}

static void solver_save(const firn_sim* sim, char* block)
{
    sim->solver->extra_save(sim->self, block);
    firn_sim_powder_save(sim, block + sim->solver->extra_size(sim->self));
}

static firn_result solver_restore(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    firn_play_release(sim);  // the block has dynamic colliders that the caller does not move
    size_t before;
    FIRN_TRY(firn_sim_powder_split(sim, block, size, &before, error));
    FIRN_TRY(sim->solver->extra_restore(sim->self, block, before, error));
    FIRN_TRY(firn_sim_powder_restore(sim, block + before, size - before, error));
    return sim->solver->check_particles != NULL ? sim->solver->check_particles(sim->self, error)
                                                : FIRN_OK;
}

// ---- temperatures, gravity, wind ----------------------------------------------------------------

typedef struct weather {
    int32_t set, active, key_count, colliders;
    int32_t gravity_set, wind_set;
    double temperature, heat_transfer;  // [degC], NaN: none; [W/m^2/K]
    double gravity[3], wind[3];         // [m/s^2], [m/s]
} weather;

static size_t weather_size(const firn_sim* sim)
{
    return sizeof(weather) + (size_t)sim->scene.collider_count * sizeof(double);
}

static void weather_save(const firn_sim* sim, char* block)
{
    const firn_air_block* air = &sim->scene.air;
    weather w = {.set = sim->weather_set,
                 .active = air->active,
                 .key_count = air->temperature_key_count,
                 .colliders = sim->scene.collider_count,
                 .gravity_set = sim->gravity_set,
                 .wind_set = sim->wind_set,
                 .temperature = air->temperature,
                 .heat_transfer = air->heat_transfer};
    memcpy(w.gravity, sim->scene.gravity, sizeof w.gravity);
    memcpy(w.wind, air->velocity, sizeof w.wind);
    memcpy(block, &w, sizeof w);
    for (firn_local c = 0; c < sim->scene.collider_count; c++) {
        const double T = (double)sim->scene.colliders[c].temperature;
        memcpy(block + sizeof w + (size_t)c * sizeof T, &T, sizeof T);
    }
}

// NaN: no heat exchange.
static bool temperature_is_valid(double T)
{
    return isnan(T) || firn_sim_temperature_is_valid(T);
}

static bool weather_is_valid(const firn_sim* sim, const weather* w)
{
    // the scene's own keys are there, or the caller has replaced them by a constant
    const bool keys = w->key_count == (w->set ? 0 : sim->air_keys);
    return (w->set | w->active | w->gravity_set | w->wind_set) >> 1 == 0 && keys &&
           w->colliders >= 0 && w->colliders <= sim->scene.collider_count &&
           firn_world_gravity_is_valid(w->gravity) && firn_world_wind_is_valid(w->wind) &&
           temperature_is_valid(w->temperature) && w->heat_transfer >= 0 &&
           isfinite(w->heat_transfer);
}

static firn_result weather_restore(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    weather w;
    if (size < sizeof w)
        return refuse_size("part about air and gravity", size, weather_size(sim), error);
    memcpy(&w, block, sizeof w);
    if (!weather_is_valid(sim, &w) || size != sizeof w + (size_t)w.colliders * sizeof(double))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "its air has %g degC with %d key frames, its gravity is (%g, %g, %g) "
                         "m/s^2",
                         w.temperature, (int)w.key_count, w.gravity[0], w.gravity[1], w.gravity[2]);
    firn_air_block* air = &sim->scene.air;
    sim->weather_set = w.set != 0;
    sim->gravity_set = w.gravity_set != 0;
    sim->scene.gravity_key_count = sim->gravity_set ? 0 : sim->gravity_keys;
    sim->wind_set = w.wind_set != 0;
    memcpy(sim->scene.gravity, w.gravity, sizeof w.gravity);
    memcpy(air->velocity, w.wind, sizeof w.wind);
    air->active = w.active != 0;
    air->temperature_key_count = w.key_count;
    air->temperature = w.temperature;
    air->heat_transfer = w.heat_transfer;
    firn_local count = 0;
    firn_collider* own =
        sim->solver->colliders != NULL ? sim->solver->colliders(sim->self, &count) : NULL;
    for (firn_local c = 0; c < w.colliders; c++) {
        double T;
        memcpy(&T, block + sizeof w + (size_t)c * sizeof T, sizeof T);
        if (!temperature_is_valid(T))
            return firn_fail(error, FIRN_REFUSED_DAMAGED, "its temperature of collider %d is %g",
                             (int)c, T);
        sim->scene.colliders[c].temperature = (firn_real)T;
        if (c < count) own[c].temperature = (firn_real)T;
    }
    return FIRN_OK;
}

// ---- snow bodies that were added ----------------------------------------------------------------

static size_t added_size(const firn_sim* sim)
{
    return (size_t)sim->added_count * sizeof *sim->added;
}

static void added_save(const firn_sim* sim, char* block)
{
    if (sim->added_count > 0) memcpy(block, sim->added, added_size(sim));
}

static firn_result added_restore(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    const size_t count = size / sizeof *sim->added;
    if (size % sizeof *sim->added != 0 || count > INT32_MAX)
        return refuse_size("list of added snow", size, count * sizeof *sim->added, error);
    for (size_t k = 0; k < count; k++) {
        firn_added_snow row;
        memcpy(&row, block + k * sizeof row, sizeof row);
        if ((uint64_t)row.first_id + row.count > sim->next_id)
            return firn_fail(error, FIRN_REFUSED_DAMAGED,
                             "added snow %zu has ids beyond those of its particles", k);
    }
    if (!firn_reserve((void**)&sim->added, &sim->added_capacity, (firn_local)count,
                      sizeof *sim->added))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory for its list of added snow");
    if (count > 0) memcpy(sim->added, block, size);
    sim->added_count = (firn_local)count;
    return FIRN_OK;
}

// ---- colliders that the caller moves ------------------------------------------------------------

static void play_save(const firn_sim* sim, char* block)
{
    firn_play_save(sim, block);
}

static firn_result play_restore(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    FIRN_TRY(firn_play_restore(sim, block, size, error));
    return firn_sim_colliders_changed(sim);
}

// ---- loads on colliders -------------------------------------------------------------------------

enum { LOAD_SUMS = 3 };

static void find_sums(const firn_sim* sim, const firn_load_sum* out[LOAD_SUMS])
{
    out[0] = &sim->load_step;
    out[1] = &sim->load_frame;
    out[2] = &sim->load_since;
}

static size_t loads_bytes(const firn_sim* sim)
{
    return (size_t)sim->load_count * sizeof(firn_collider_load);
}

static size_t loads_size(const firn_sim* sim)
{
    return LOAD_SUMS * (sizeof(double) + loads_bytes(sim));
}

static void loads_save(const firn_sim* sim, char* block)
{
    const firn_load_sum* sums[LOAD_SUMS];
    find_sums(sim, sums);
    for (int k = 0; k < LOAD_SUMS; k++, block += sizeof(double) + loads_bytes(sim)) {
        memcpy(block, &sums[k]->seconds, sizeof(double));
        memcpy(block + sizeof(double), sums[k]->each, loads_bytes(sim));
    }
}

static firn_result loads_restore(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    // colliders that were added since have no loads
    const size_t own = size / LOAD_SUMS - sizeof(double);
    if (size % LOAD_SUMS != 0 || size > loads_size(sim) || own > loads_bytes(sim) ||
        own % sizeof(firn_collider_load) != 0)
        return refuse_size("part about loads on colliders", size, loads_size(sim), error);
    for (size_t k = 0; k < size; k += sizeof(double)) {
        double value;
        memcpy(&value, block + k, sizeof value);
        if (!isfinite(value))
            return firn_fail(error, FIRN_REFUSED_DAMAGED, "a load on a collider is not finite");
    }
    const firn_load_sum* sums[LOAD_SUMS];
    find_sums(sim, sums);
    for (int k = 0; k < LOAD_SUMS; k++, block += sizeof(double) + own) {
        firn_load_sum* to = (firn_load_sum*)sums[k];  // of a simulation that is not const
        memcpy(&to->seconds, block, sizeof(double));
        memset(to->each, 0, loads_bytes(sim));
        memcpy(to->each, block + sizeof(double), own);
    }
    return FIRN_OK;
}

const firn_state_section firn_state_sections[] = {
    {"clock 1", clock_size, clock_save, clock_restore},
    {"world 1", firn_world_size, firn_world_save, firn_world_restore},
    {"parts 1", firn_state_particles_size, firn_state_particles_save, firn_state_particles_restore},
    {"snow  1", added_size, added_save, added_restore},
    {"solver1", solver_size, solver_save, solver_restore},
    {"air   1", weather_size, weather_save, weather_restore},
    {"moved 1", firn_play_size, play_save, play_restore},
    {"loads 1", loads_size, loads_save, loads_restore},
};
const size_t firn_state_section_count = sizeof firn_state_sections / sizeof *firn_state_sections;
