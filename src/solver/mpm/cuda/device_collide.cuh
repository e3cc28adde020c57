// SPDX-License-Identifier: MIT
// Steps 5 and 9 on a GPU: most blocks of the grid are near no collider (collide/collide_at.h).
#pragma once
#include "solver/mpm/collide/collide_at.h"
#include "solver/mpm/cuda/mpm_device.cuh"

#ifdef __CUDACC__
// The colliders, with the sums of the calling block of threads; nodes meet dynamic ones elsewhere.
static __device__ __forceinline__ firn_mpm_bodies firn_device_bodies(const firn_mpm_device& d)
{
    return firn_mpm_bodies{
        d.bodies.bodies, d.bodies.count, &d.bodies.shapes, firn_cuda_loads_mine(d.loads),
        nullptr,         nullptr,        nullptr};
}

// All of them, for particles.
static __device__ __forceinline__ firn_mpm_bodies
firn_device_particle_bodies(const firn_mpm_device& d)
{
    firn_mpm_bodies all = firn_device_bodies(d);
    all.lumps = d.rigid.lumps;
    all.lump_of = d.rigid.lump_of;
    return all;
}

static __device__ __forceinline__ bool firn_device_near_body(const firn_bodies_view& bodies,
                                                             int4 coord, float h, bool particles)
{
    const int32_t c[3] = {coord.x, coord.y, coord.z};
    return firn_mpm_block_near_body(bodies.bodies, bodies.count, c, h, particles);
}
#endif
