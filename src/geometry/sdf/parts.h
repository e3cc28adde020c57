// SPDX-License-Identifier: MIT
// Splits a shape into parts: flattens unions and multiplies transforms. For drawing: each part can
// use its own method.
#pragma once
#include "geometry/motion/motion.h"
#include "geometry/sdf/shape.h"

// Called for each part: a node that is neither a transform nor a sharp union, and its pose. Any
// result but FIRN_OK stops the traversal.
typedef firn_result (*firn_part_fn)(void* user, firn_local shape, const firn_pose* pose);
// Visits every part of `shape`, which is at `pose`. A union of more than 256 parts stays one.
firn_result firn_shape_walk_parts(const firn_shapes* shapes, firn_local shape,
                                  const firn_pose* pose, firn_part_fn part, void* user);
