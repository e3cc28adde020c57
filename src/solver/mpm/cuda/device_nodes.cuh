// SPDX-License-Identifier: MIT
// The nodes of the grid as step 5 reads and writes them, on a GPU (collide/collide_nodes.h).
#pragma once
#include "solver/mpm/cuda/mpm_device.cuh"
#include "state/device_table.cuh"

#define FIRN_MPM_NODES_FN static __device__ __forceinline__

typedef struct firn_mpm_nodes {
    const firn_mpm_device* d;
} firn_mpm_nodes;

FIRN_MPM_NODES_FN firn_real firn_mpm_nodes_cell(const firn_mpm_nodes* n)
{
    return n->d->grid.cell;
}

FIRN_MPM_NODES_FN void firn_mpm_nodes_at(const firn_mpm_nodes* n, firn_local i, int32_t at[3])
{
    const int4 block = n->d->grid.coord[i / FIRN_BLOCK_NODES];
    const int32_t k = i % FIRN_BLOCK_NODES;
    at[0] = block.x * 4 + (k >> 4);
    at[1] = block.y * 4 + (k >> 2 & 3);
    at[2] = block.z * 4 + (k & 3);
}

FIRN_MPM_NODES_FN firn_local firn_mpm_nodes_block(const firn_mpm_nodes* n, int32_t bx, int32_t by,
                                                  int32_t bz)
{
    return firn_device_find(n->d->grid, bx, by, bz);
}

// The node at these coordinates; -1: it is not active.
FIRN_MPM_NODES_FN firn_local firn_mpm_nodes_find(const firn_mpm_nodes* n, int32_t x, int32_t y,
                                                 int32_t z)
{
    const firn_local block = firn_mpm_nodes_block(n, x >> 2, y >> 2, z >> 2);
    return block < 0 ? -1 : block * FIRN_BLOCK_NODES + (((x & 3) * 4 + (y & 3)) * 4 + (z & 3));
}

FIRN_MPM_NODES_FN firn_real firn_mpm_nodes_mass(const firn_mpm_nodes* n, firn_local i)
{
    return n->d->node_velocity[i].w;
}

FIRN_MPM_NODES_FN firn_vec3 firn_mpm_nodes_velocity(const firn_mpm_nodes* n, firn_local i)
{
    const float4 q = n->d->node_new[i];
    return firn_v3(q.x, q.y, q.z);
}

FIRN_MPM_NODES_FN void firn_mpm_nodes_set(const firn_mpm_nodes* n, firn_local i, firn_vec3 v,
                                          firn_real unused)
{
    float4* now = &n->d->node_new[i];
    *now = make_float4(v.x, v.y, v.z, fmaxf(now->w + unused, FIRN_MPM_FIXED));
}
