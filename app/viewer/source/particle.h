// SPDX-License-Identifier: MIT
// All fields of one particle, for the panel that shows it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "viewer/source/reader.h"

#define VIEW_PARTICLE_FIELDS 40

typedef struct view_field_value {
    char name[32], unit[16];
    int count;  // 1, 3 or 9 values, row by row
    double values[9];
} view_field_value;

typedef struct view_particle {
    bool found;
    int64_t id;     // of the field "id"; < 0: none was requested
    int64_t index;  // in the arrays of the snapshot
    int field_count;
    view_field_value fields[VIEW_PARTICLE_FIELDS];
} view_particle;

// Finds the particle by its id and copies its fields. `id` < 0: none.
void view_particle_read(view_particle* out, const view_reader* reader, int64_t id);
