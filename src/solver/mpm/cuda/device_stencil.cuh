// SPDX-License-Identifier: MIT
// A particle's weights and slopes on its 4x4x4 nodes (math/bspline.h), as pairs (N, N'), and where
// these nodes begin in the tile of its block.
#pragma once
#include "math/bspline.h"
#include "math/mat3_lanes.h"
#include "state/device_grid.cuh"

#ifdef __CUDACC__
static __device__ __forceinline__ void firn_device_stencil_axis(int spline, float t,
                                                                float inverse_cell, float2 out[4])
{
    float w[4], s[4];
    firn_spline_weights((firn_spline)spline, t, w);
    firn_spline_slopes((firn_spline)spline, t, inverse_cell, s);
#pragma unroll
    for (int k = 0; k < 4; k++) out[k] = make_float2(w[k], s[k]);
}

// The cell of a particle and its position in it.
struct firn_device_cell_offset {
    int base[3];  // lowest node, within the tile
    float t[3];   // within the cell
};

static __device__ __forceinline__ firn_device_cell_offset
firn_device_cell_offset_of(float4 at, float inverse_cell)
{
    firn_device_cell_offset s;
    const float x[3] = {at.x, at.y, at.z};
#pragma unroll
    for (int d = 0; d < 3; d++) {
        int base;
        firn_weights_axis(x[d] * inverse_cell, &base, &s.t[d]);
        s.base[d] = base & 3;
    }
    return s;
}

static __device__ __forceinline__ int firn_device_corner(const firn_device_cell_offset& s)
{
    return (s.base[0] * FIRN_DEVICE_TILE_SIDE + s.base[1]) * FIRN_DEVICE_TILE_SIDE + s.base[2];
}

// Column of a gradient: += s v.
static __device__ __forceinline__ void firn_device_add_column(firn_mat3_lanes& m, int column,
                                                              float s, float3 v)
{
    m.m[0][column] = fmaf(s, v.x, m.m[0][column]);
    m.m[1][column] = fmaf(s, v.y, m.m[1][column]);
    m.m[2][column] = fmaf(s, v.z, m.m[2][column]);
}
#endif
