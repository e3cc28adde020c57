// SPDX-License-Identifier: MIT
// A shape as its parts: unions fall apart, transforms are multiplied out. For whoever draws shapes:
// each part is drawn the best way it can be.
#pragma once
#include "geometry/motion/motion.h"
#include "geometry/sdf/shape.h"

// Called for a part: a node that is neither a transform nor a sharp union, and where it is.
// Anything but FIRN_OK ends the walk.
typedef firn_result (*firn_part_fn)(void* user, firn_local shape, const firn_pose* pose);
// Gives every part of `shape`, which is at `pose`. A union of more than 256 parts stays one.
firn_result firn_shape_walk_parts(const firn_shapes* shapes, firn_local shape,
                                  const firn_pose* pose, firn_part_fn part, void* user);
