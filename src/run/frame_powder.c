// SPDX-License-Identifier: MIT
#include "run/frame_powder.h"

#include <string.h>

#include "core/memory.h"
#include "math/mat3.h"
#include "sim/sim_powder.h"
#include "state/particles.h"

// A point is drawn as soft as the cube of snow around it that it came from, half a cell wide.
static firn_real density_of(const firn_powder* w, const firn_sim* sim, firn_local k)
{
    const double edge = 0.5 * firn_sim_cell(sim);
    return (firn_real)((double)w->mass[k] / (edge * edge * edge));
}

// What a point of powder has in a field of reals that only snow has.
static firn_real neutral(int field)
{
    return field == FIRN_FRAME_CONSOLIDATION || field == FIRN_FRAME_TEMPERATURE ? 0 : 1;
}

static firn_real real_of(const firn_powder* w, const firn_sim* sim, int field, firn_local k)
{
    if (field == FIRN_FRAME_DENSITY) return density_of(w, sim, k);
    if (field != FIRN_FRAME_MASS) return neutral(field);
    const firn_real least = (firn_real)1e-3;  // volumes need masses above 0
    return w->mass[k] * firn_max(firn_powder_fade(w->age[k], w->life[k]), least);
}

// Writes the powder's values of a field to [count] of its type.
static void write_field(const firn_powder* w, const firn_sim* sim, int field, void* out)
{
    const firn_local count = w->store.count;
    const size_t size = firn_field_type_size(firn_field_table[field].type);
    if (field == FIRN_FRAME_POSITION)
        memcpy(out, w->position, (size_t)count * size);
    else if (field == FIRN_FRAME_VELOCITY)
        memcpy(out, w->velocity, (size_t)count * size);
    else if (field == FIRN_FRAME_ID)
        memcpy(out, w->id, (size_t)count * size);
    else if (field == FIRN_FRAME_MATERIAL)
        memcpy(out, w->material, (size_t)count * size);
    else if (field == FIRN_FRAME_POWDER)
        memset(out, 1, (size_t)count * size);
    else if (firn_field_table[field].type == FIRN_FIELD_REAL)
        for (firn_local k = 0; k < count; k++) ((firn_real*)out)[k] = real_of(w, sim, field, k);
    else if (firn_field_table[field].type == FIRN_FIELD_MAT3)
        for (firn_local k = 0; k < count; k++) ((firn_mat3*)out)[k] = firn_m3_identity();
    else
        memset(out, 0, (size_t)count * size);
}

static firn_result join_field(const firn_powder* w, const firn_sim* sim, const firn_frame* frame,
                              int field, void** out)
{
    const size_t size = firn_field_type_size(firn_field_table[field].type);
    const size_t snow = (size_t)frame->count;
    *out = firn_alloc(snow + (size_t)w->store.count + 1, size);
    if (*out == NULL) return FIRN_BROKEN_MEMORY;
    if (field == FIRN_FRAME_POWDER)
        memset(*out, 0, snow * size);
    else if (snow > 0)
        memcpy(*out, frame->fields[field], snow * size);
    if (w->store.count > 0) write_field(w, sim, field, (char*)*out + snow * size);
    return FIRN_OK;
}

firn_result firn_frame_powder_join(const firn_sim* sim, firn_frame* frame,
                                   void* owned[FIRN_FRAME_FIELD_COUNT])
{
    const firn_powder* w = firn_sim_powder(sim);
    firn_result r = FIRN_OK;
    if (w == NULL) return FIRN_OK;
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT && r == FIRN_OK; f++)
        if (frame->fields[f] != NULL || f == FIRN_FRAME_POWDER)
            r = join_field(w, sim, frame, f, &owned[f]);
    if (r != FIRN_OK) {
        firn_frame_powder_end(owned);
        return r;
    }
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        if (owned[f] != NULL) frame->fields[f] = owned[f];
    frame->count += w->store.count;
    return FIRN_OK;
}

void firn_frame_powder_end(void* owned[FIRN_FRAME_FIELD_COUNT])
{
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        firn_free(owned[f]);
        owned[f] = NULL;
    }
}

size_t firn_frame_powder_bytes(const firn_sim* sim)
{
    const firn_powder* w = firn_sim_powder(sim);
    size_t each = 0;
    if (w == NULL) return 0;
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        each += firn_field_type_size(firn_field_table[f].type);
    return ((size_t)firn_sim_count(sim) + (size_t)w->store.count) * each;
}
