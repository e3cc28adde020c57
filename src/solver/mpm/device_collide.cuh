// SPDX-License-Identifier: MIT
// Steps 5 and 9 on a GPU: the response of step05_grid_collide.h, kept out of the loops that seldom
// need it, and the question whether a block of the grid is near any body.
#pragma once
#include "solver/mpm/mpm_device.cuh"
#include "solver/mpm/step05_collide_at.h"

#ifdef __CUDACC__
static __device__ __noinline__ firn_vec3 firn_device_collide(const firn_bodies_view& bodies,
                                                             firn_vec3 x, firn_vec3 v,
                                                             bool* out_touched)
{
    return firn_mpm_collide_at(bodies.bodies, bodies.count, &bodies.shapes, x, v, out_touched);
}

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
