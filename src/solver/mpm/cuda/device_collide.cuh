// SPDX-License-Identifier: MIT
// Steps 5 and 9 on a GPU: most blocks of the grid are near no collider (support/collide_at.h).
#pragma once
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/mpm/support/collide_at.h"

#ifdef __CUDACC__
static __device__ __forceinline__ bool firn_device_near_body(const firn_bodies_view& bodies,
                                                             int4 coord, float h, bool particles)
{
    const int32_t c[3] = {coord.x, coord.y, coord.z};
    return firn_mpm_block_near_body(bodies.bodies, bodies.count, c, h, particles);
}
#endif
