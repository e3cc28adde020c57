// SPDX-License-Identifier: MIT
// State of powder: snapshots for rollbacks, blocks of checkpoints, hash.
#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "scene/data/scene.h"
#include "solver/shared/base.h"
#include "solver/shared/powder/powder.h"

firn_result firn_powder_snapshot_take(firn_powder* w)
{
    w->snapshot_clock = w->clock;
    return firn_snapshot_take(&w->snapshot, &w->store, true);
}

firn_result firn_powder_snapshot_restore(firn_powder* w)
{
    FIRN_TRY(firn_snapshot_restore(&w->snapshot, &w->store, false));
    firn_powder_point_to(w);
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
        if (firn_powder_is_over(w, k) || !(w->age[k] >= 0) || !(w->life[k] < (firn_real)1e9) ||
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
    firn_powder_point_to(fresh);
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
    firn_powder_point_to(w);
    w->clock = c;
    return FIRN_OK;
}

uint64_t firn_powder_hash(const firn_powder* w)
{
    return firn_hash(&w->clock, sizeof w->clock, firn_particles_hash(&w->store));
}
