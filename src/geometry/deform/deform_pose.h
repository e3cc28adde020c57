// SPDX-License-Identifier: MIT
// The pose of a deforming collider: the two key frames around a time, with shared ownership of
// both. deform_sample.h evaluates it.
#pragma once
#include "core/result.h"
#include "math/box3.h"

typedef struct firn_deform_key firn_deform_key;  // geometry/deform/deform_sample.h

// The two key frames around a time. Holds one use of each.
typedef struct firn_deform_pose {
    const firn_deform_key *a, *b;  // null: none yet
    firn_real gamma;               // 0 at a, 1 at b
    firn_real dt;                  // [s] of simulated time between them
    firn_real rate;                // velocities in the keys times this are [m/s] of simulated time;
                                   //     0: the body rests
} firn_deform_pose;

#ifdef __cplusplus
extern "C" {
#endif

void firn_deform_pose_share(firn_deform_pose* pose);    // after a byte copy: one more use of each
void firn_deform_pose_release(firn_deform_pose* pose);  // lets the keys go, zeroes the pose
firn_box3 firn_deform_pose_bounds(const firn_deform_pose* pose);  // contains the body

void firn_deform_key_share(const firn_deform_key* key);
void firn_deform_key_release(const firn_deform_key* key);  // the last one frees it; null is fine

#ifdef __cplusplus
}
#endif
