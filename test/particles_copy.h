// SPDX-License-Identifier: MIT
// Copies of particles, to compare a state with an earlier one.
#pragma once
#include <string.h>

#include "core/result.h"
#include "state/particles.h"

// Copies count and all fields; `to` has the same fields, or none yet, and grows as needed.
static inline firn_result copy_particles(firn_particles* to, const firn_particles* from)
{
    if (to->field_count == 0) {
        for (int f = 0; f < from->field_count; f++)
            firn_particles_add_field(to, from->fields[f].name, from->fields[f].unit,
                                     from->fields[f].type);
        for (int f = 0; f < from->field_count; f++) to->fields[f].changes = from->fields[f].changes;
    }
    if (to->field_count != from->field_count) return FIRN_BROKEN_INTERNAL;
    to->count = to->count < from->count ? to->count : from->count;
    FIRN_TRY(firn_particles_reserve(to, from->count));
    for (int f = 0; f < from->field_count; f++)
        if (from->count > 0)
            memcpy(to->fields[f].data, from->fields[f].data,
                   (size_t)from->count * from->fields[f].size);
    to->count = from->count;
    return FIRN_OK;
}
