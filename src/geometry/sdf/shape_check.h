// SPDX-License-Identifier: MIT
// What makes a node a valid shape: the checks of the builders.
#pragma once
#include "geometry/sdf/shape.h"

// Checks `node` against the shapes that are there already and writes the form that is stored: unit
// normals and rotations, unused parameters 0, unused children -1, padding 0 (equal shapes are equal
// bytes). FIRN_REFUSED_ARGUMENT: `error` names shape, parameter, value and range.
firn_result firn_shape_check(const firn_shapes* shapes, const firn_shape_node* node,
                             firn_shape_node* out_node, firn_error* error);
// The rectangle of a height field.
firn_result firn_height_field_check(firn_vec3 origin, firn_vec3 size, firn_error* error);
