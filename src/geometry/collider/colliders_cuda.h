// SPDX-License-Identifier: MIT
// Bodies on a CUDA device: shapes, level sets, motions and poses where kernels can read them.
// Does: copy them there once, pose rigid bodies from inside a kernel, bring the key frames of
// deforming ones as time goes on. Does not: collide (collider_sample.h).
//
//     rigid bodies       firn_bodies_pose in a kernel, at whatever time the device has reached
//     deforming bodies   firn_bodies_cuda_move by the host before each step, since the host makes
//                        key frames (from files) when a time first needs them
#pragma once
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/motion/posed_box.h"

typedef struct firn_bodies_cuda firn_bodies_cuda;  // opaque

// What kernels are given, by value. Pointers are the device's; they stay the same until destroy.
// Until a body is posed or moved for the first time it is nowhere: its reach is empty.
typedef struct firn_bodies_view {
    firn_shape_tables shapes;
    firn_collider* bodies;  // [count]; keys of motions and deformations are the device's too.
                            // `deforming` is the host's: null or not is all that may be asked
    const firn_box3* own;   // [count] bounds in own coordinates of rigid bodies, else empty
    firn_local count;
} firn_bodies_view;

// Poses a rigid body: to be called by one thread per body, before any other asks for the body. The
// bits of firn_collider_move. Deforming ones are left alone.
FIRN_FN void firn_bodies_pose(firn_bodies_view view, firn_local body, double time)
{
    firn_collider* b = &view.bodies[body];
    if (b->deforming != NULL) return;
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
firn_result firn_bodies_cuda_create(const firn_shapes* shapes, const firn_collider* colliders,
                                    firn_local count, firn_bodies_cuda** out_bodies,
                                    firn_error* error);
// No kernel may use them any more. Null is fine.
void firn_bodies_cuda_destroy(firn_bodies_cuda* bodies);

firn_bodies_view firn_bodies_cuda_view(const firn_bodies_cuda* bodies);
size_t firn_bodies_cuda_bytes(const firn_bodies_cuda* bodies);  // on the device, now
bool firn_bodies_cuda_deform(const firn_bodies_cuda* bodies);   // some body deforms: see move

// Moves `host` (the colliders given to create, or copies of them) to `time` and brings poses and
// new keys to the device, behind what `stream` (a cudaStream_t, not capturing) already has to do;
// keys that no pose uses any more are freed when that is done. Kernels that use the bodies belong
// to the same stream. The host waits only for keys that are new, and when it is eight moves ahead.
// A refusal (a key's file is gone) leaves the device's bodies as they were; after
// FIRN_BROKEN_* only destroy.
firn_result firn_bodies_cuda_move(firn_bodies_cuda* bodies, firn_collider* host,
                                  const firn_shapes* shapes, double time, void* stream,
                                  firn_error* error);

// What drives each body of `host` (the colliders given to create, or copies of them) is brought to
// the device, behind what `stream` already has to do; kernels pose the bodies anew. Waits as move
// does.
firn_result firn_bodies_cuda_drive(firn_bodies_cuda* bodies, const firn_collider* host,
                                   void* stream, firn_error* error);

#ifdef __cplusplus
}
#endif
