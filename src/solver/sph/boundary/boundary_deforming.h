// SPDX-License-Identifier: MIT
// Boundary particles of deforming colliders. Between two key frames their number is constant and
// they move with the surface:
//   mesh animations: each rides on a triangle, at fixed weights of its corners. They are
//     sampled on the first key, and again on every key that has other triangles or has stretched
//     them too far for the sample;
//   others (.vdb sequences, meshes whose triangles change): sampled on every key, carried along
//     with the keys' velocities to the time between them and from there to the surface.
// So they depend only on the keys and the time, not on when they were first requested.
#pragma once
#include "mesh/mesh.h"
#include "solver/sph/boundary/boundary_tiles.h"

typedef struct firn_ride {
    firn_mesh first, a, b;  // owned: the first key and those around the time; empty: no meshes
    double time_a, time_b;  // [s] of the animation, of the keys prepared for
    bool ready;             // prepared for these
    bool on_triangles;
    double sampled;     // [s] time of the key that the tiles are of
    bool has_tiles;     // there are some
    int32_t* triangle;  // owned [count]; for riders on triangles
    firn_vec3* weight;  // owned [count] of the corners
    firn_vec3* place;   // owned [count] [m] on the key, in the body's own coordinates
    firn_local count, capacity;
} firn_ride;

#ifdef __cplusplus
extern "C" {
#endif

// For the keys of the collider's pose: samples all of the surface if needed. *out_new: the
// sample has changed. On failure the ride is to be prepared again.
firn_result firn_ride_prepare(firn_ride* ride, firn_tiles* tiles, const firn_collider* collider,
                              int threads, bool* out_new, firn_error* error);
// Positions and velocities in the world of the ride's `count` particles, for the pose.
void firn_ride_place(const firn_ride* ride, const firn_collider* collider, int threads,
                     firn_vec3* out_position, firn_vec3* out_velocity);
void firn_ride_destroy(firn_ride* ride);

#ifdef __cplusplus
}
#endif
