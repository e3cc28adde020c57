// SPDX-License-Identifier: MIT
// The nodes of the grid as step 5 reads and writes them, on the CPU. cuda/device_nodes.cuh has the
// same for a GPU, so that collide_column.h is written once.
#pragma once
#include "solver/mpm/collide/collide_args.h"

#define FIRN_MPM_NODES_FN static inline

typedef struct firn_mpm_nodes {
    const firn_mpm_grid_collide_args* a;
} firn_mpm_nodes;

FIRN_MPM_NODES_FN firn_real firn_mpm_nodes_cell(const firn_mpm_nodes* n)
{
    return n->a->grid->cell;
}

// Coordinates of node i.
FIRN_MPM_NODES_FN void firn_mpm_nodes_at(const firn_mpm_nodes* n, firn_local i, int32_t at[3])
{
    const int32_t *block = n->a->grid->coord[i / FIRN_BLOCK_NODES], k = i % FIRN_BLOCK_NODES;
    at[0] = block[0] * 4 + (k >> 4);
    at[1] = block[1] * 4 + (k >> 2 & 3);
    at[2] = block[2] * 4 + (k & 3);
}

// The block at these coordinates of blocks; -1: none.
FIRN_MPM_NODES_FN firn_local firn_mpm_nodes_block(const firn_mpm_nodes* n, int32_t bx, int32_t by,
                                                  int32_t bz)
{
    return firn_grid_find(n->a->grid, bx, by, bz);
}

FIRN_MPM_NODES_FN firn_real firn_mpm_nodes_mass(const firn_mpm_nodes* n, firn_local i)
{
    return n->a->node_velocity[i][3];
}

// v_i^*
FIRN_MPM_NODES_FN firn_vec3 firn_mpm_nodes_velocity(const firn_mpm_nodes* n, firn_local i)
{
    const firn_vec4 q = n->a->node_new[i];
    return firn_v3(q[0], q[1], q[2]);
}

// A collider decides the velocity of node i, and left so much of its friction [m/s].
FIRN_MPM_NODES_FN void firn_mpm_nodes_set(const firn_mpm_nodes* n, firn_local i, firn_vec3 v,
                                          firn_real unused)
{
    n->a->node_new[i] = (firn_vec4){v.x, v.y, v.z, n->a->node_new[i][3] + unused};
    n->a->node_fixed[i] = 1;
}
