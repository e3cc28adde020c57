// SPDX-License-Identifier: MIT
// Structs that the caller and the library share, where one of them may be newer: definitions that
// come in, and what goes out.
#pragma once
#include "firn/defs.h"
#include "firn/query.h"

// Copies a definition over the library's defaults. out_own: a struct of that kind.
// FIRN_REFUSED_ARGUMENT: it is null, was not initialised, is of the other precision, or is longer
// than the library knows.
firn_result firn_def_take(firn_def_kind kind, const void* def, void* out_own, firn_error* error);

// Gives the rectangle of a height field back.
static inline void firn_height_def_set_box(firn_height_def* def, const firn_height_def* own)
{
    def->x = own->x, def->z = own->z, def->width = own->width, def->depth = own->depth;
}

// Copies what fits into `size` bytes of the caller; zeros follow. `out` may be null.
void firn_give(void* out, uint32_t size, const void* own, size_t own_size);
// Brings rows to the size that the caller knows, in place. FIRN_REFUSED_ARGUMENT: the caller knows
// longer ones.
firn_result firn_rows_give(void* rows, int count, size_t own_size, uint32_t size,
                           firn_error* error);
