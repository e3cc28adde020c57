// SPDX-License-Identifier: MIT
// Building a height field: create it, write its values, finish it, add it.
#pragma once
#include "geometry/sdf/shape.h"

// Owned by the caller; values and pyramid are 0.
firn_result firn_height_field_create(firn_local nx, firn_local nz, firn_height_field* out_field,
                                     firn_error* error);
firn_result firn_height_field_copy(const firn_height_field* field, firn_height_field* out_copy);
void firn_height_field_destroy(firn_height_field* field);
// Call once when `value` is written: fills what is derived from it.
void firn_height_field_finish(firn_height_field* field);
// Takes the field over, also when it fails: it is then destroyed and `shapes` unchanged.
firn_result firn_shapes_add_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                  firn_height_field* field, firn_local* out_shape,
                                  firn_error* error);
