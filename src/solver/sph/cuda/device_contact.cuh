// SPDX-License-Identifier: MIT
// Records of particles near colliders, on a GPU.
#pragma once
#include "solver/sph/cuda/sph_device.cuh"
#include "solver/sph/laws/contact_sums.h"

#ifdef __CUDACC__
// The record of particle i; -1: it has none.
static __device__ __forceinline__ int firn_sph_contact_of(const firn_sph_device& d, int i)
{
    if (d.wall.count == 0) return -1;
    const uint32_t cell = d.cells.cell[i], first = d.contact_first[cell];
    if (first == d.contact_first[cell + 1]) return -1;
    const int k = (int)(first + (uint32_t)i - d.cells.begin[cell]);
    return k < d.contact_capacity ? k : -1;
}

// Boundary particle b, in the order of cells.
static __device__ __forceinline__ firn_sph_sample firn_sph_sample_at(const firn_sph_device& d,
                                                                     int b)
{
    const float4 x = d.wall.x[b], v = d.wall.v[b];
    return firn_sph_sample{firn_sph_xyz(x), firn_sph_xyz(v), firn_sph_xyz(d.wall.n[b]), x.w,
                           __float_as_int(v.w)};
}

// Blocks of threads with one thread per record.
static inline int firn_sph_contact_blocks(const firn_sph_device* d)
{
    return d->contact_capacity / FIRN_SPH_THREADS + 1;
}
#endif
