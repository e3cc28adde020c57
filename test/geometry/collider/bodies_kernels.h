// SPDX-License-Identifier: MIT
// Questions to bodies on a CUDA device, for tests.
#pragma once
#include "geometry/collider/colliders_cuda.h"

// What a body says of a point.
typedef struct bodies_answer {
    firn_real distance, sampled;  // both are phi [m]
    firn_vec3 normal, velocity;
    int32_t misses;
} bodies_answer;

#ifdef __cplusplus
extern "C" {
#endif

// Poses the rigid bodies at `time` on the device, unless it is NaN; then asks every body at `count`
// points: `out_answers` [view.count][count], `out_bodies` [view.count] as they are on the device.
firn_result bodies_kernels_ask(firn_bodies_view view, double time, firn_local count,
                               const firn_vec3* x, bodies_answer* out_answers,
                               firn_collider* out_bodies, firn_error* error);

#ifdef __cplusplus
}
#endif
