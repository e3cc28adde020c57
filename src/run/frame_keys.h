// SPDX-License-Identifier: MIT
// Key frames of deforming colliders that a frame's picture needs, held until it is drawn: by then
// the simulation has gone on, and without that they would be evicted and built again.
#pragma once
#include "firn/types.h"

typedef struct firn_deforming firn_deforming;      // geometry/deform/deforming.h
typedef struct firn_deform_pose firn_deform_pose;  // geometry/deform/deform_pose.h

typedef struct firn_frame_keys {
    firn_deform_pose* poses;  // owned [count]; null: none
    firn_local count, capacity;
} firn_frame_keys;

// Holds those of a collider around `time`. What cannot be held is built again, or its failure
// reported, by who draws the picture.
void firn_frame_keys_hold(firn_frame_keys* keys, firn_deforming* deforming, double time);
void firn_frame_keys_release(firn_frame_keys* keys);  // zeroed is fine
