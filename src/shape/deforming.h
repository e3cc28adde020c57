// SPDX-License-Identifier: MIT
// Bodies that deform: level-set key frames with velocities. Stomakhin 2013, section 8:
//   v_co     = (1 - gamma) v(x, t_k) + gamma v(x, t_k+1)
//   phi(x,t) = (1 - gamma) phi_k(x - gamma dt v_co) + gamma phi_k+1(x + (1 - gamma) dt v_co)
// Keys are made when a time first needs them and at most `memory` bytes of them are kept (never
// fewer than the two in use), so that a long animation does not fill memory. Before the first and
// after the last key the body rests (or repeats, `loop`).
#pragma once
#include "mesh/animation.h"
#include "shape/level_set_mesh.h"
#include "shape/phi.h"
#include "shape/velocity_grid.h"

typedef struct firn_deforming_def {
    firn_animation_def animation;  // `file` may also be a sequence of .vdb files
    const char* grid;              // .vdb: name of the level set; null: the first
    const char* velocity_grid;  // .vdb: name of the velocities; null: "v", "vel" or "velocity" if
                                //     there; else the normal motion between the key frames
    firn_real voxel;            // [m] of the level sets
    firn_broken_mesh broken;
    double start;   // [s] when the first key plays
    double speed;   // seconds of the animation per second
    bool loop;      // the last key is followed by the first
    size_t memory;  // [bytes] of key frames to keep
} firn_deforming_def;

typedef struct firn_deforming firn_deforming;  // opaque, shared by counting, safe from any thread

firn_result firn_deforming_open(const firn_deforming_def* def, firn_deforming** out_deforming,
                                firn_error* error);
firn_deforming* firn_deforming_share(firn_deforming* deforming);
void firn_deforming_release(firn_deforming* deforming);            // null is fine
firn_box3 firn_deforming_bounds(const firn_deforming* deforming);  // of all keys, from the meshes
size_t firn_deforming_bytes(const firn_deforming* deforming);      // of the keys kept now

// A key frame, shared by counting.
typedef struct firn_deform_key {
    const firn_level_set* phi;
    firn_velocity_grid velocity;
    double time;
    int32_t users;
} firn_deform_key;

// The two key frames around a time. Holds one use of each.
typedef struct firn_deform_pose {
    const firn_deform_key *a, *b;  // null: none yet
    firn_real gamma;               // 0 at a, 1 at b
    firn_real dt;                  // [s] of simulated time between them
    firn_real rate;                // velocities in the keys times this are [m/s] of simulated time
} firn_deform_pose;

// Makes or finds the keys for `time`; what the pose held is let go. On failure the pose is as it
// was.
firn_result firn_deforming_move(firn_deforming* deforming, double time, firn_deform_pose* pose,
                                firn_error* error);
void firn_deform_pose_share(firn_deform_pose* pose);    // after a byte copy: one more use of each
void firn_deform_pose_release(firn_deform_pose* pose);  // lets the keys go, zeroes the pose

// At a point, in the coordinates of the key frames. Re-entrant. (deform_sample.h has the formulas.)
firn_real firn_deform_distance(const firn_deform_pose* pose, firn_vec3 x);
firn_phi firn_deform_sample(const firn_deform_pose* pose, firn_vec3 x);
firn_vec3 firn_deform_velocity(const firn_deform_pose* pose, firn_vec3 x);
