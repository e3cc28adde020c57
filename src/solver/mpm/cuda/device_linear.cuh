// SPDX-License-Identifier: MIT
// Step 6 on a GPU, for one particle: the gradient of a field of nodes, and the linearised stress.
#pragma once
#include "physics/snow_derivative_lanes.h"
#include "solver/mpm/cuda/device_stencil.cuh"
#include "solver/mpm/cuda/mpm_device.cuh"

#ifdef __CUDACC__
// Layers of x one after the other: unrolled, the loads of all 64 nodes would crowd the registers.
static __device__ __forceinline__ firn_mat3_lanes firn_device_gradient(const float4* corner,
                                                                       const float2 x[4],
                                                                       const float2 Y[4],
                                                                       const float2 Z[4])
{
    firn_mat3_lanes g = {};
    float2 X[4] = {x[0], x[1], x[2], x[3]};
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float3 value = make_float3(0, 0, 0), slope = make_float3(0, 0, 0);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float4 u = corner[j * 7 + k];
                value = make_float3(fmaf(Z[k].x, u.x, value.x), fmaf(Z[k].x, u.y, value.y),
                                    fmaf(Z[k].x, u.z, value.z));
                slope = make_float3(fmaf(Z[k].y, u.x, slope.x), fmaf(Z[k].y, u.y, slope.y),
                                    fmaf(Z[k].y, u.z, slope.z));
            }
            firn_device_add_column(g, 0, X[0].y * Y[j].x, value);
            firn_device_add_column(g, 1, X[0].x * Y[j].y, value);
            firn_device_add_column(g, 2, X[0].x * Y[j].x, slope);
        }
        corner += 49;
        X[0] = X[1];
        X[1] = X[2];
        X[2] = X[3];
    }
    return g;
}

static __device__ __forceinline__ firn_snow_linear_lanes
firn_device_linear_of(const firn_mpm_device& d, int p)
{
    const float4 s0 = d.stress0[p], s1 = d.stress1[p];
    firn_snow_linear_lanes l;
    l.L.xx = 1 + s0.x;
    l.L.xy = s0.y;
    l.L.xz = s0.z;
    l.L.yy = 1 + s0.w;
    l.L.yz = s1.x;
    l.L.zz = 1 + s1.y;
    l.mu2 = s1.z;
    l.trace = s1.w;
    l.transposed = d.stress2[p];
    return l;
}

// For the diagonal of H, of undeformed snow: columns (2 mu + lambda, mu, mu) V and so on; lambda
// J^2 is what the two bulk terms differ by.
static __device__ __forceinline__ firn_mat3_lanes
firn_device_diagonal_of(const firn_snow_linear_lanes& l)
{
    const firn_sym3_lanes& L = l.L;
    const float J = L.xx * (L.yy * L.zz - L.yz * L.yz) - L.xy * (L.xy * L.zz - L.yz * L.xz) +
                    L.xz * (L.xy * L.yz - L.yy * L.xz);
    const float mu = 0.5f * l.mu2, along = l.mu2 + (l.trace - l.transposed) / (J * J);
    return firn_mat3_lanes{{{along, mu, mu}, {mu, along, mu}, {mu, mu, along}}};
}
#endif
