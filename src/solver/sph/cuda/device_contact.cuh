// SPDX-License-Identifier: MIT
// Records of particles near colliders, on a GPU.
#pragma once
#include "solver/sph/cuda/sph_device.cuh"
#include "solver/sph/laws/contact_sums.h"
#include "solver/sph/laws/pressure.h"

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

// Sums over the boundary particles near particle i: B, sum of V_b v_b . grad W_ib, L B (from step 2
// on), sum of V_b W_ib. All 0 far from colliders.
typedef struct firn_sph_walls {
    firn_vec3 B;
    float divergence;
    firn_vec3 LB;
    float kernel;
} firn_sph_walls;

static __device__ __forceinline__ firn_sph_walls firn_sph_walls_of(const firn_sph_device& d, int i)
{
    const int k = firn_sph_contact_of(d, i);
    float4 B = make_float4(0, 0, 0, 0), LB = B;
    if (k >= 0) {
        B = d.contact_B[k];
        LB = d.contact_LB[k];
    }
    return firn_sph_walls{firn_sph_xyz(B), B.w, firn_sph_xyz(LB), LB.w};
}

// psi of eq. 7 for particle i: 1 for a fluid.
static __device__ __forceinline__ float firn_sph_psi_of(const firn_sph_device& d, int i)
{
    return d.fluids ? firn_sph_psi_lanes(d.psi, d.lambda[i]) : d.psi;
}

// The middle of the cell with this key, as firn_neighbours_cell_middle.
static __device__ __forceinline__ firn_vec3 firn_sph_cell_middle(uint64_t key, double spacing)
{
    const uint64_t mask = ((uint64_t)1 << FIRN_SPH_AXIS_BITS) - 1;
    const double shift = (1 << (FIRN_SPH_AXIS_BITS - 1)) + 1024 - 0.5, width = 2 * spacing;
    return firn_v3((float)(((double)(key >> (2 * FIRN_SPH_AXIS_BITS)) - shift) * width),
                   (float)(((double)(key >> FIRN_SPH_AXIS_BITS & mask) - shift) * width),
                   (float)(((double)(key & mask) - shift) * width));
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
