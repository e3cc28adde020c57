// SPDX-License-Identifier: MIT
// Deforming colliders: level-set key frames with velocities, interpolated as in section 8 of
// Stomakhin 2013 (deform_sample.h has the formulas).
// Keys are built when a time first needs them, and at most `memory` bytes of them are cached (never
// fewer than those in use), so that a long animation does not fill memory. The collider is at rest
// before the first key; after the last it rests or starts again (`loop`).
#pragma once
#include "geometry/deform/deform_pose.h"
#include "geometry/levelset/level_set_mesh.h"
#include "mesh/io/animation.h"

typedef struct firn_deforming_def {
    firn_animation_def animation;  // `file` may also be a sequence of .vdb files
    const char* grid;              // .vdb: name of the level set; null: the first
    const char* velocity_grid;  // .vdb: name of the velocities; null: "v", "vel" or "velocity" if
                                //     there; else the normal motion between the key frames
    firn_real voxel;            // [m] of the level sets that meshes become; .vdb files have theirs
    firn_broken_mesh broken;
    bool broken_by_default;  // `broken` was not asked for: not part of what identifies a scene
    double start;            // [s] when the first key plays
    double speed;            // seconds of the animation per second
    bool loop;      // the last key is followed by the first, after as long a time as lies between
                    //     the last two; a last key that is the first again is not played twice
    size_t memory;  // [bytes] of key frames to keep
} firn_deforming_def;

typedef struct firn_deforming firn_deforming;  // opaque, reference-counted, thread-safe

// `def` is copied.
firn_result firn_deforming_open(const firn_deforming_def* def, firn_deforming** out_deforming,
                                firn_error* error);
// Reads the files of the keys that are needed until `until` [s] and refuses what building them
// would refuse, except for memory: a sequence must not fail in the middle of a run.
firn_result firn_deforming_check(const firn_deforming_def* def, double until, firn_error* error);
firn_deforming* firn_deforming_share(firn_deforming* deforming);
void firn_deforming_release(firn_deforming* deforming);                              // null is fine
const firn_deforming_def* firn_deforming_read_def(const firn_deforming* deforming);  // its copy
int64_t firn_deforming_key_count(const firn_deforming* deforming);
uint64_t firn_deforming_hash(const firn_deforming* deforming);  // of what its keys are made from
size_t firn_deforming_bytes(firn_deforming* deforming);         // of the cached keys

// Has up to `threads` threads build the keys that follow those of the last move, as far as `memory`
// allows, until the call of end that belongs to this one. Poses are the same without them; a key
// that they cannot build fails when a move needs it. Their memory counts against the budget of the
// thread that calls begin first.
void firn_deforming_begin_ahead(firn_deforming* deforming, int threads);
void firn_deforming_end_ahead(firn_deforming* deforming);

// Finds or builds the keys for `time`; releases those that the pose held. On failure the pose is
// unchanged.
firn_result firn_deforming_move(firn_deforming* deforming, double time, firn_deform_pose* pose,
                                firn_error* error);
// The surface at `time` as triangles, for pictures: vertices are interpolated linearly between
// keys; if the triangles of the keys differ, the nearer key is returned. Empty if the keys are not
// meshes.
firn_result firn_deforming_mesh(firn_deforming* deforming, double time, firn_mesh* out_mesh,
                                firn_error* error);
// The same, but also empty if holes had to be closed: the triangles are not the collider's surface
// then.
firn_result firn_deforming_closed_mesh(firn_deforming* deforming, double time, firn_mesh* out_mesh,
                                       firn_error* error);
