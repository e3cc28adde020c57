// SPDX-License-Identifier: MIT
// Key frames of deforming colliders that a frame's picture needs, held until it is drawn: by then
// the simulation has gone on, and without that they would be evicted and built again.
#pragma once
#include "geometry/deform/deform_pose.h"
#include "scene/data/scene.h"

typedef struct firn_frame_keys {
    firn_deform_pose* poses;  // owned [count]; null: none
    firn_local count;
} firn_frame_keys;

// Holds those around `time`. What cannot be held is built again, or its failure reported, by who
// draws the picture.
void firn_frame_keys_hold(firn_frame_keys* keys, const firn_scene_data* scene, double time);
void firn_frame_keys_release(firn_frame_keys* keys);  // zeroed is fine
