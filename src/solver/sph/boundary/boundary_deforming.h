// SPDX-License-Identifier: MIT
// Boundary particles of deforming colliders. Between two key frames their number is constant and
// they move with the surface:
//   mesh animations: each is attached to a triangle with fixed barycentric coordinates. They are
//     sampled on the first key, and again on every key that has other triangles or has stretched
//     them too far for the sample;
//   others (.vdb sequences, meshes whose triangles change): sampled on every key, advected with the
//     keys' velocities to the time between them and projected to the surface there.
// So they depend only on the keys and the time, not on when they were first requested.
#pragma once
#include "mesh/mesh.h"

typedef struct firn_collider firn_collider;  // geometry/collider/collider.h
typedef struct firn_tiles firn_tiles;        // boundary_tiles.h

typedef struct firn_deforming_samples {
    firn_mesh first, a, b;  // owned: first key, and those around the time; empty: no meshes
    double time_a, time_b;  // [s] animation time of the prepared keys
    bool ready;             // prepared for these keys
    bool on_triangles;
    double sampled_time;  // [s] time of the key that was sampled
    bool has_tiles;       // the tiles are valid
    int32_t* triangle;    // owned [count]; for particles on triangles
    firn_vec3* weight;    // owned [count] barycentric coordinates
    firn_vec3*
        sampled_position;  // owned [count] [m] position on the sampled key, local coordinates
    firn_local count, capacity;
} firn_deforming_samples;

#ifdef __cplusplus
extern "C" {
#endif

// Prepares for the keys of the collider's pose: samples the whole surface if needed. *out_new: the
// samples have changed. After a failure, prepare again.
firn_result firn_deforming_samples_prepare(firn_deforming_samples* samples, firn_tiles* tiles,
                                           const firn_collider* collider, bool* out_new,
                                           firn_error* error);
// World positions and velocities of all `count` particles for the pose.
void firn_deforming_samples_pose(const firn_deforming_samples* samples,
                                 const firn_collider* collider, firn_vec3* out_position,
                                 firn_vec3* out_velocity);
void firn_deforming_samples_destroy(firn_deforming_samples* samples);

#ifdef __cplusplus
}
#endif
