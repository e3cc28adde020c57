// SPDX-License-Identifier: MIT
// A field of particles that are elsewhere (state/particle_rows.h), as the source of an array.
#pragma once
#include "output/hdf5/h5_write.h"
#include "state/particle_rows.h"

typedef struct firn_field_rows {
    const firn_particle_rows* rows;
    int field;
} firn_field_rows;

// firn_h5_rows.read
static inline firn_result firn_field_rows_read(void* self, int64_t first, int64_t rows, void* out,
                                               firn_error* error)
{
    const firn_field_rows* f = self;
    return f->rows->read(f->rows->self, f->field, (firn_local)first, (firn_local)rows, out, error);
}
