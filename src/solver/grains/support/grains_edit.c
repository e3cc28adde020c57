// SPDX-License-Identifier: MIT
// Edits between steps. Bonds are bits by the index in a neighbour list, so the lists that they
// refer to are kept, with the index of each grain in them, until `settle` rebuilds them once for
// all edits:
//
//     lists       0 1 2 3 4
//     dug         0   2 3        was  0 2 3
//     a ball      0   2 3 a b    was  0 2 3 -1 -1     a and b may begin with a bond, a and 3 not
//
// On a device the lists are there; the host recalls them from the particles, as after a checkpoint.
// Before the first step there are none.
#include <string.h>

#include "physics/grain_heat.h"
#include "solver/grains/step01_neighbours.h"
#include "solver/grains/support/grains_solver.h"
#include "solver/shared/device_run.h"

static firn_result no_memory(firn_local count, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory for %d grains", (int)count);
}

// The lists that bonds refer to, and the place of each grain in them.
static firn_result begin(firn_grains* m, firn_error* error)
{
    firn_grains_refresh_pointers(m);
    if (m->edited || m->base.step == 0) return FIRN_OK;
    if (firn_device_run_remote(m)) m->listed = false;  // those of an earlier edit
    if (m->p.count > m->w.capacity) {
        if (firn_grains_reserve(m, m->base.store.capacity) != FIRN_OK)
            return no_memory(m->p.count, error);
        firn_grains_refresh_pointers(m);
    }
    FIRN_TRY(firn_grains_recall_lists(m, error));
    for (firn_local i = 0; i < m->p.count; i++) m->was[i] = i;
    m->listed_count = m->p.count;
    m->adds = 0;
    m->edited = true;
    return FIRN_OK;
}

firn_result firn_grains_edit_settle(void* self, firn_error* error)
{
    firn_grains* m = self;
    if (!m->edited) return FIRN_OK;
    m->edited = false;
    firn_grains_refresh_pointers(m);
    FIRN_TRY(firn_grains_list_anew(m, m->was, m->listed_count, error));
    firn_device_run_host_changed(m);
    return FIRN_OK;
}

// Room for `count` grains. New memory has no lists: edits up to now are settled first.
static firn_result grow(firn_grains* m, int64_t count, firn_error* error)
{
    const bool lists = m->base.step > 0 || !firn_device_run_remote(m);
    const firn_local room = lists ? m->w.capacity : m->base.store.capacity;
    if (count <= room) return FIRN_OK;
    FIRN_TRY(firn_grains_edit_settle(m, error));
    const int64_t more =
        count <= m->base.store.capacity ? m->base.store.capacity : count + count / 4;
    const firn_local capacity = (firn_local)(more < INT32_MAX ? more : INT32_MAX);
    const firn_result r =
        lists ? firn_grains_reserve(m, capacity) : firn_particles_reserve(&m->base.store, capacity);
    return r == FIRN_OK ? FIRN_OK : no_memory(capacity, error);
}

firn_result firn_grains_add(void* self, const firn_seeds* seeds, uint32_t* next_id,
                            firn_error* error)
{
    firn_grains* m = self;
    FIRN_TRY(grow(m, (int64_t)m->base.store.count + seeds->count, error));
    FIRN_TRY(begin(m, error));
    const firn_local first = m->p.count;
    if (m->next_id > *next_id) *next_id = m->next_id;
    FIRN_TRY(firn_base_add(&m->base, seeds, next_id, error));
    m->next_id = *next_id;
    firn_grains_dress_seeds(m, seeds);
    if (!m->edited) return FIRN_OK;
    m->adds++;
    for (firn_local i = first; i < m->p.count; i++) m->was[i] = -m->adds;
    return FIRN_OK;
}

firn_result firn_grains_keep(void* self, const firn_local* keep, firn_local count,
                             firn_error* error)
{
    firn_grains* m = self;
    FIRN_TRY(begin(m, error));
    FIRN_TRY(firn_base_keep(m, keep, count, error));
    for (firn_local k = 0; k < count && m->edited; k++) m->was[k] = m->was[keep[k]];
    firn_grains_refresh_pointers(m);
    return FIRN_OK;
}

// Solid grains are at most at 0 degC, water is at least.
static void set_temperature(firn_grains* m, firn_local i, firn_real T)
{
    const firn_grain_constants* c = &m->constants;
    const bool water = m->p.phase[i] == FIRN_WATER;
    if (water ? T < 0 : T > 0) T = 0;
    const double h = firn_grain_enthalpy(c, (double)T, m->p.radius[i], m->p.phase[i]);
    const firn_grain_heat heat = firn_grain_heat_of(h);
    m->p.enthalpy[i] = heat.high;
    m->p.enthalpy_rest[i] = heat.low;
    m->p.temperature[i] = T;
    m->p.water[i] = firn_grain_water(c, h);
}

firn_result firn_grains_write(void* self, const firn_field* field, const void* values,
                              firn_error* error)
{
    firn_grains* m = self;
    if (strcmp(field->name, "temperature") == 0) {
        firn_grains_refresh_pointers(m);
        const firn_real* T = values;  // those of melting grains are 0 and say nothing about water
        for (firn_local i = 0; i < m->p.count; i++)
            if (T[i] != m->p.temperature[i]) set_temperature(m, i, T[i]);
        firn_device_run_host_changed(m);
        return FIRN_OK;
    }
    if (strcmp(field->name, "position") == 0) FIRN_TRY(begin(m, error));  // others are near now
    return firn_base_write(m, field, values, error);
}
