// SPDX-License-Identifier: MIT
// Snapshots. Restoring without copies of the constant fields takes two steps:
//
//     current     id  2 0 3 1      order: current position of each id of the snapshot
//     snapshot    id  0 1 2 3      order  1 3 0 2
//
// First all fields are permuted into the snapshot's order, which restores the constant ones; then
// the changing fields are overwritten with their copies.
#include "state/snapshot.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/copy.h"

static bool is_copied(const firn_field* field, bool whole)
{
    return whole || field->changes == FIRN_CHANGES_ALWAYS || strcmp(field->name, "id") == 0;
}

void firn_snapshot_destroy(firn_snapshot* snapshot)
{
    for (int f = 0; f < FIRN_FIELDS_MAX; f++) firn_free(snapshot->data[f]);
    *snapshot = (firn_snapshot){0};
}

static bool make_room(firn_snapshot* snapshot, const firn_particles* particles, firn_local count)
{
    if (snapshot->made && count <= snapshot->capacity) return true;
    const bool whole = snapshot->whole;
    firn_snapshot_destroy(snapshot);  // before allocating, to avoid two copies at once
    snapshot->whole = whole;
    for (int f = 0; f < particles->field_count; f++) {
        const firn_field* field = &particles->fields[f];
        if (!is_copied(field, whole)) continue;
        snapshot->data[f] = firn_alloc((size_t)count + 1, field->size);
        if (snapshot->data[f] == NULL) {
            firn_snapshot_destroy(snapshot);
            return false;
        }
    }
    snapshot->capacity = count;
    snapshot->made = true;
    return true;
}

firn_result firn_snapshot_reserve(firn_snapshot* snapshot, const firn_particles* particles,
                                  firn_local capacity, bool whole)
{
    FIRN_ASSERT(!snapshot->made || snapshot->whole == whole);
    snapshot->whole = whole;
    return make_room(snapshot, particles, capacity) ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

firn_result firn_snapshot_take(firn_snapshot* snapshot, const firn_particles* particles, bool whole)
{
    FIRN_ASSERT(!snapshot->made || snapshot->whole == whole);
    snapshot->whole = whole;
    if (!make_room(snapshot, particles, particles->count)) return FIRN_BROKEN_MEMORY;
    for (int f = 0; f < particles->field_count; f++) {
        const firn_field* field = &particles->fields[f];
        if (snapshot->data[f] != NULL && particles->count > 0)
            firn_share_copy(snapshot->data[f], field->data, (size_t)particles->count * field->size);
    }
    snapshot->count = particles->count;
    snapshot->taken = true;
    return FIRN_OK;
}

// order[k] = current position of particle k of the snapshot; `place` is scratch. False: the ids
// differ.
static bool find_order(const uint32_t* wanted, const uint32_t* now, firn_local count,
                       firn_local* place, firn_local* order)
{
    for (firn_local k = 0; k < count; k++) place[k] = -1;
    for (firn_local k = 0; k < count; k++) {
        if (now[k] >= (uint32_t)count || place[now[k]] >= 0) return false;
        place[now[k]] = k;
    }
    for (firn_local k = 0; k < count; k++) {
        if (wanted[k] >= (uint32_t)count || place[wanted[k]] < 0) return false;
        order[k] = place[wanted[k]];
        place[wanted[k]] = -1;  // an id must not occur twice
    }
    return true;
}

static firn_result bring_constants_back(const firn_snapshot* snapshot, firn_particles* particles)
{
    const firn_field* id = firn_particles_find(particles, "id");
    if (id == NULL || particles->count != snapshot->count) return FIRN_BROKEN_INTERNAL;
    const size_t count = (size_t)snapshot->count;
    firn_local* indices = firn_alloc(2 * count + 1, sizeof *indices);
    if (indices == NULL) return FIRN_BROKEN_MEMORY;
    const bool same = find_order(snapshot->data[id - particles->fields], id->data, snapshot->count,
                                 indices, indices + count);
    const firn_result r =
        same ? firn_particles_reorder(particles, indices + count) : FIRN_BROKEN_INTERNAL;
    firn_free(indices);
    return r;
}

firn_result firn_snapshot_restore(const firn_snapshot* snapshot, firn_particles* particles,
                                  bool before_first_step)
{
    if (!snapshot->taken || snapshot->count > particles->capacity) return FIRN_BROKEN_INTERNAL;
    if (!snapshot->whole) FIRN_TRY(bring_constants_back(snapshot, particles));
    const size_t count = (size_t)snapshot->count;
    for (int f = 0; f < particles->field_count && count > 0; f++) {
        const firn_field* field = &particles->fields[f];
        if (snapshot->data[f] != NULL)
            firn_share_copy(field->data, snapshot->data[f], count * field->size);
        else if (field->changes == FIRN_CHANGES_FIRST_STEP && before_first_step)
            firn_share_clear(field->data, count * field->size);
    }
    particles->count = snapshot->count;
    return FIRN_OK;
}
