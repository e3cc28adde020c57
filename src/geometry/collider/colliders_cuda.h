// SPDX-License-Identifier: MIT
// Colliders on a CUDA device: shapes, level sets, motions and poses in device memory. Copies them
// once, poses rigid colliders inside kernels and uploads key frames of deforming ones when needed.
// collider_sample.h samples them.
//
//     rigid       firn_bodies_pose in a kernel, at the time that the device has reached
//     deforming   firn_colliders_cuda_move by the host before each step, because the host builds
//                 key frames (from files) when a time first needs them
#pragma once
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/motion/posed_box.h"

typedef struct firn_colliders_cuda firn_colliders_cuda;  // opaque

// Argument of kernels, by value. Device pointers, constant until destroy. The bounds of a collider
// are empty until it is posed or moved for the first time.
typedef struct firn_bodies_view {
    firn_shape_tables shapes;
    firn_collider* bodies;  // [count]; keys of motions and deformations are the device's too.
                            // `deforming` is a host pointer: only compare it with null
    const firn_box3* own;   // [count] bounds in own coordinates of rigid bodies, else empty
    firn_local count;
} firn_bodies_view;

// Poses a rigid collider: called by one thread per collider before any thread samples it. Bitwise
// equal to firn_collider_move. Does nothing for deforming ones, nor for removed ones, whose bounds
// are empty.
FIRN_FN void firn_bodies_pose(firn_bodies_view view, firn_local body, double time)
{
    firn_collider* b = &view.bodies[body];
    if (b->deforming != NULL || b->removed) return;
    if (firn_collider_rests(b) && b->reach.low.x <= b->reach.high.x) return;  // where it was
    b->pose = firn_collider_pose_at(b, time);
    b->reach = firn_posed_box(&b->pose, view.own[body]);
}

#ifdef __cplusplus
extern "C" {
#endif

// On the current device, which must be the current one in every later call. `shapes` and
// `colliders` are copied; a deforming collider's keys come with the first move.
// FIRN_BROKEN_MEMORY: says how much is needed; *out_bodies is as before.
firn_result firn_colliders_cuda_create(const firn_shapes* shapes, const firn_collider* colliders,
                                       firn_local count, firn_colliders_cuda** out_bodies,
                                       firn_error* error);
// No kernel may use them any more. Null is fine.
void firn_colliders_cuda_destroy(firn_colliders_cuda* bodies);

firn_bodies_view firn_colliders_cuda_view(const firn_colliders_cuda* bodies);
size_t firn_colliders_cuda_bytes(const firn_colliders_cuda* bodies);  // on the device, now
bool firn_colliders_cuda_deform(const firn_colliders_cuda* bodies);   // some body deforms: see move

// Moves `host` (the colliders given to create, or copies of them) to `time` and brings poses and
// new keys to the device, behind what `stream` (a cudaStream_t, not capturing) already has to do;
// keys that no pose uses any more are freed when that is done. Kernels that use the bodies belong
// to the same stream. The host waits only for keys that are new, and when it is eight moves ahead.
// A refusal (a key's file is gone) leaves the device's bodies as they were; after
// FIRN_BROKEN_* only destroy.
firn_result firn_colliders_cuda_move(firn_colliders_cuda* bodies, firn_collider* host,
                                     const firn_shapes* shapes, double time, void* stream,
                                     firn_error* error);

// Uploads what moves each collider of `host` (the colliders given to create, or copies of them), in
// stream order; kernels pose them again. Waits as move does.
firn_result firn_colliders_cuda_drive(firn_colliders_cuda* bodies, const firn_collider* host,
                                      void* stream, firn_error* error);

#ifdef __cplusplus
}
#endif
