// SPDX-License-Identifier: MIT
// Particles that are not all in this process: they are read in runs of rows, field by field, in the
// order that they have in one process.
#pragma once
#include "state/particles.h"

#define FIRN_ROWS_DENSITY (-1)  // not a field: the density of each particle, a real
#define FIRN_ROWS_NONE (-2)     // not there

typedef struct firn_particle_rows {
    void* self;  // borrowed
    firn_local count;
    // Writes rows first .. first + rows - 1 of a field, by its index in the list of the particles,
    // or of the density. Rows in ascending order are the fastest.
    firn_result (*read)(void* self, int field, firn_local first, firn_local rows, void* out,
                        firn_error* error);
} firn_particle_rows;

// What firn_particles_hash returns for the same particles in one process, whose fields `list` has.
firn_result firn_particle_rows_hash(const firn_particle_rows* rows, const firn_particles* list,
                                    uint64_t* out_hash, firn_error* error);
// An owned array of all rows of a field, whose elements have `size` bytes.
firn_result firn_particle_rows_load(const firn_particle_rows* rows, int field, size_t size,
                                    void** out_data, firn_error* error);
