// SPDX-License-Identifier: MIT
// Key frames of deforming colliders, built by other cores while the device computes
// (geometry/deform/deform_keys.h). Only the time that a run takes depends on it.
#pragma once
#include "firn/types.h"

typedef struct firn_collider firn_collider;    // geometry/collider/collider.h
typedef struct firn_deforming firn_deforming;  // geometry/deform/deforming.h

typedef struct firn_device_ahead {
    firn_deforming** each;  // owned, with a reference to each
    firn_local count;
} firn_device_ahead;

// For the colliders of a simulation; with a team of one thread, or without memory: does nothing.
void firn_device_ahead_begin(const firn_collider* colliders, firn_local count,
                             firn_device_ahead* out_ahead);
void firn_device_ahead_end(firn_device_ahead* ahead);
