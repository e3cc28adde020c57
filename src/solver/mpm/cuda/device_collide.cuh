// SPDX-License-Identifier: MIT
// Steps 5 and 9 on a GPU: the question whether a block of the grid is near any body, which most are
// not.
#pragma once
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/mpm/support/collide_at.h"

#ifdef __CUDACC__
// `particles`: the box of all cells of the block's particles; else that of its nodes. Half a cell
// more, for rounding.
static __device__ __forceinline__ bool firn_device_near_body(const firn_bodies_view& bodies,
                                                             int4 coord, float h, bool particles)
{
    const float margin = particles ? 0.5f : -0.5f, size = particles ? 5.0f : 4.0f;
    const firn_vec3 low =
        firn_v3(((float)(4 * coord.x) + margin) * h, ((float)(4 * coord.y) + margin) * h,
                ((float)(4 * coord.z) + margin) * h);
    const firn_vec3 high = firn_v3(low.x + size * h, low.y + size * h, low.z + size * h);
    for (int b = 0; b < bodies.count; b++)
        if (!firn_collider_misses_box(&bodies.bodies[b], low, high)) return true;
    return false;
}
#endif
