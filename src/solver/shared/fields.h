// SPDX-License-Identifier: MIT
// A solver's list of particle fields as a table. The list is an X macro in <solver>_fields.h, which
// also makes the struct of typed pointers from it; this makes rows of it:
//
//     #define ROW(field, type, kind, unit, step, changes, values)
//         FIRN_FIELD_ROW(firn_mpm_particles, field, kind, unit, changes, values),
//     static const firn_field_row fields[] = {FIRN_MPM_FIELDS(ROW)};
#pragma once
#include <stddef.h>

#include "state/particles.h"

typedef struct firn_field_row {
    const char *name, *unit;
    firn_field_type type;
    firn_field_changes changes;
    firn_field_values values;
    size_t pointer;  // [bytes] where the typed pointer is in the solver's struct of pointers
} firn_field_row;

#define FIRN_FIELD_ROW(pointers, field, kind, unit, changes, values)                   \
    {                                                                                  \
#field, unit, FIRN_FIELD_##kind, FIRN_CHANGES_##changes, FIRN_VALUES_##values, \
            offsetof(pointers, field)                                                  \
    }
