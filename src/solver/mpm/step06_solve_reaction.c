// SPDX-License-Identifier: MIT
// Step 6, what colliders take in the solve. A node that a collider holds keeps its velocity v,
// while the implicit forces of the snow push it: the collider takes
//
//     m (v^* - v)                    in step 5
//     - beta dt^2 (H v^{n+1})_i      here
//
// A node inside several colliders is held by the last of them. The forces of all nodes add up to
// nothing, but for the residual r of the solve, which changes the momentum of free nodes by - m r:
// colliders share it (shared/loads.h).
#include "solver/mpm/collide/collide_at.h"
#include "solver/mpm/step06_solve.h"

// True if a collider holds a node that particles of block b reach.
static bool is_near_fixed(const firn_mpm_solve_args* a, firn_local b)
{
    for (int n = 0; n < 8; n++) {
        const uint8_t* fixed = a->node_fixed + (size_t)a->from->neighbour[b][n] * FIRN_BLOCK_NODES;
        if (memchr(fixed, 1, FIRN_BLOCK_NODES) != NULL) return true;
        if (a->contacts != NULL && memchr(fixed, 2, FIRN_BLOCK_NODES) != NULL) return true;
    }
    return false;
}

static void take_reaction(const firn_mpm_solve_args* a, const firn_mpm_bodies* bodies, firn_local i)
{
    const firn_vec3 x = firn_grid_node_position(a->grid, i);
    const double by = -(double)a->beta * (double)a->dt * (double)a->dt;
    const firn_local c = firn_mpm_holder(bodies, x);
    const firn_vec3 arm = firn_v3_sub(x, bodies->colliders[c].pose.position);
    const firn_vec4 Hv = a->node_Hu[i];
    firn_impulse_add(&bodies->taken[c], arm, by * (double)Hv[0], by * (double)Hv[1],
                     by * (double)Hv[2]);
    firn_impulse_weigh(&bodies->taken[c], a->node_velocity[i][3]);
}

// Reactions of the nodes of a block, and m r of its free nodes, about the origin.
static void take_block(const firn_mpm_solve_args* a, const firn_mpm_bodies* bodies, firn_local b)
{
    double sum[6] = {0};
    for (firn_local i = b * FIRN_BLOCK_NODES; i < (b + 1) * FIRN_BLOCK_NODES; i++) {
        const double m = (double)a->node_velocity[i][3];
        if (a->node_fixed[i] == 1) take_reaction(a, bodies, i);  // 2: firn_mpm_contacts_react
        if (!(m > 0) || a->node_fixed[i] != 0) continue;
        const firn_vec3 at = firn_grid_node_position(a->grid, i);
        const double x = (double)at.x, y = (double)at.y, z = (double)at.z;
        const double p[3] = {m * (double)a->r[i][0], m * (double)a->r[i][1],
                             m * (double)a->r[i][2]};
        const double l[3] = {y * p[2] - z * p[1], z * p[0] - x * p[2], x * p[1] - y * p[0]};
        for (int d = 0; d < 3; d++) {
            sum[d] += p[d];
            sum[3 + d] += l[d];
        }
    }
    firn_impulse* shared = &bodies->taken[bodies->count];
    firn_impulse_add(shared, firn_v3(0, 0, 0), sum[0], sum[1], sum[2]);
    firn_impulse_turn(shared, sum[3], sum[4], sum[5]);
}

static void take_blocks(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_solve_args* a = self;
    const firn_mpm_bodies bodies = {
        a->colliders, a->loads->count, &a->shapes, firn_loads_mine(a->loads), NULL, NULL, NULL};
    const uint8_t* foreign = a->part != NULL ? firn_halo_foreign(&a->part->halo) : NULL;
    for (firn_local b = begin; b < end; b++)
        if (foreign == NULL || foreign[b] == 0) take_block(a, &bodies, b);
}

// The sums of blocks are the same for any number of threads, and are added as integers.
static void take_reactions(const firn_mpm_solve_args* a)
{
    firn_share(a->grid->block_count, 16, take_blocks, a);
    if (a->contacts != NULL) firn_mpm_contacts_react(a->contacts, &a->contact, a->b);
}

static void react_block(const firn_mpm_solve_args* a, firn_local b, const firn_vec4* u)
{
    if (is_near_fixed(a, b)) apply_block(a, b, u);
}

static void react(const firn_mpm_solve_args* a)
{
    for_blocks_by_colour(a, a->node_new, react_block);
    take_reactions(a);
}
