// SPDX-License-Identifier: MIT
// Step 6, the loops: linearise, apply the operator, solve. Blocks of one colour share no node.
#include "solver/mpm/step06_solve.h"

#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/support/blocks.h"
#include "state/tile.h"

static void apply_block(const firn_mpm_solve_args* a, firn_local b, const firn_vec4* u)
{
    firn_tile in, out;
    firn_tile_load(&in, u, a->from->neighbour[b]);
    firn_tile_clear(&out);
    for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
        const firn_local p = a->grid->order[k];
        const firn_weights w = firn_weights_of(a->spline, a->position[p], a->grid->inverse_cell);
        firn_real s[3][4];
        for (int d = 0; d < 3; d++)
            firn_spline_slopes(a->spline, w.t[d], a->grid->inverse_cell, s[d]);
        firn_vec4 g[3];
        firn_tile_gather_gradient(firn_tile_corner_const(&in, &w), &w, (const firn_real(*)[4])s, g);
        const firn_mat3 grad_u = {{{g[0][0], g[1][0], g[2][0]},
                                   {g[0][1], g[1][1], g[2][1]},
                                   {g[0][2], g[1][2], g[2][2]}}};
        const firn_mat3 T = firn_mpm_stress_change_particle(a, p, grad_u);
        const firn_vec4 column[3] = {{T.m[0][0], T.m[1][0], T.m[2][0], 0},
                                     {T.m[0][1], T.m[1][1], T.m[2][1], 0},
                                     {T.m[0][2], T.m[1][2], T.m[2][2], 0}};
        firn_tile_scatter_gradient(firn_tile_corner(&out, &w), &w, (const firn_real(*)[4])s,
                                   column);
    }
    firn_tile_add(&out, a->node_Hu, a->grid->neighbour[b]);
}

// Scatters the contribution of block b to node_Hu; u: the field it depends on, or null.
typedef void block_scatter(const firn_mpm_solve_args* a, firn_local b, const firn_vec4* u);

typedef struct scatter_pass {
    const firn_mpm_solve_args* a;
    const firn_vec4* u;
    block_scatter* scatter;
} scatter_pass;

static void scatter_block(const void* args, firn_local b)
{
    const scatter_pass* pass = args;
    pass->scatter(pass->a, b, pass->u);
}

// Tiles of the blocks at the border with other ranks; halo.h.
static void send_border(const firn_mpm_solve_args* a, firn_halo* halo, const firn_vec4* u,
                        block_scatter* scatter)
{
    firn_mpm_solve_args border = *a;
    border.grid = &halo->view;
    border.node_Hu = firn_halo_tiles(halo, 0);
    firn_mpm_scatter_blocks(border.grid, scatter_block, &(scatter_pass){&border, u, scatter});
    firn_halo_begin(halo, 1);
}

static void for_blocks_by_colour(const firn_mpm_solve_args* a, const firn_vec4* u,
                                 block_scatter* scatter)
{
    firn_halo* halo = a->part != NULL ? &a->part->halo : NULL;
    firn_sparse_grid grid = *a->grid;
    firn_ready_tiles ready;
    if (halo != NULL) {
        send_border(a, halo, u, scatter);
        ready = firn_halo_ready(halo, 1, (firn_vec4* const[]){a->node_Hu});
        grid.ready = &ready;
    }
    firn_mpm_clear_nodes(a->grid, a->node_Hu);
    firn_mpm_scatter_blocks(&grid, scatter_block, &(scatter_pass){a, u, scatter});
    if (halo != NULL) firn_halo_join(halo, (firn_vec4* const[]){a->node_Hu});
}

typedef struct apply_pass {
    const firn_mpm_solve_args* a;
    const firn_vec4* u;
    firn_vec4* out;
} apply_pass;

static void apply_blocks(const void* self, firn_local begin, firn_local end)
{
    const apply_pass* pass = self;
    const firn_mpm_solve_args* a = pass->a;
    const firn_vec4* u = pass->u;
    const firn_real scale = a->beta * a->dt * a->dt;
    for (firn_local b = begin; b < end; b++) {
        firn_vec4d sum = {0, 0, 0, 0};
        for (firn_local i = b * FIRN_BLOCK_NODES; i < (b + 1) * FIRN_BLOCK_NODES; i++) {
            const firn_vec4 v = a->node_velocity[i];
            const bool is_free = v[3] > 0 && a->node_fixed[i] == 0;
            pass->out[i] = is_free ? firn_vec4_madd(scale / v[3], a->node_Hu[i], u[i])
                                   : (firn_vec4){0, 0, 0, 0};
            sum += firn_cr_weighted(u[i], pass->out[i], v);
        }
        a->partial[b] = firn_cr_components(sum);
    }
}

// out = u + beta dt^2 M^-1 H u on free nodes, 0 elsewhere; returns <u, out>.
static double apply_nodes(firn_mpm_solve_args* a, const firn_vec4* u, firn_vec4* out)
{
    firn_share(a->grid->block_count, FIRN_MPM_BLOCKS_GRAIN, apply_blocks, &(apply_pass){a, u, out});
    return firn_mpm_add_up(a, a->partial, a->grid->block_count);
}

// out = A u with the product H u of `product`. The velocity that a solve starts from has the nodes
// that move with dynamic colliders; all other vectors have only the colliders' velocities.
static double apply_with(firn_mpm_solve_args* a, const firn_vec4* u, firn_vec4* out,
                         block_scatter* product)
{
    const bool lends = a->contacts != NULL && u != a->node_new;
    if (lends) firn_mpm_contacts_lend(a->contacts, &a->contact, u);
    for_blocks_by_colour(a, u, product);
    if (lends) firn_mpm_contacts_return(a->contacts, u);
    const double dot = apply_nodes(a, u, out);
    return a->contacts == NULL ? dot
                               : dot + firn_mpm_contacts_apply(a->contacts, &a->contact, u, out);
}

static double apply(void* self, const firn_vec4* u, firn_vec4* out)
{
    return apply_with(self, u, out, apply_block);
}

// Linearises each particle and adds its contribution to the diagonal of H.
static void linearize_block(const firn_mpm_solve_args* a, firn_local b, const firn_vec4* u)
{
    (void)u;
    firn_tile tile;
    firn_tile_clear(&tile);
    for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
        const firn_local p = a->grid->order[k];
        a->linear[p] = firn_mpm_linear_particle(a, p);
        if (a->scale == NULL) continue;
        firn_weights w = firn_weights_of(a->spline, a->position[p], a->grid->inverse_cell);
        firn_real s[3][4];
        for (int d = 0; d < 3; d++) {
            firn_spline_slopes(a->spline, w.t[d], a->grid->inverse_cell, s[d]);
            for (int n = 0; n < 4; n++) {
                w.w[d][n] *= w.w[d][n];
                s[d][n] *= s[d][n];
            }
        }
        const firn_real mu = a->linear[p].lame.mu, along = 2 * mu + a->linear[p].lame.lambda;
        const firn_vec4 column[3] = {{along, mu, mu, 0}, {mu, along, mu, 0}, {mu, mu, along, 0}};
        firn_tile_scatter_gradient(firn_tile_corner(&tile, &w), &w, (const firn_real(*)[4])s,
                                   column);
    }
    if (a->scale != NULL) firn_tile_add(&tile, a->node_Hu, a->grid->neighbour[b]);
}

// b = v^*; the guess replaces it on free nodes. The preconditioner is m / (m + beta dt^2 H_ii).
static void start_nodes(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_solve_args* a = self;
    const firn_vec4 fall = {a->dt * a->gravity.x, a->dt * a->gravity.y, a->dt * a->gravity.z, 0};
    const firn_real by = a->beta * a->dt * a->dt;
    for (firn_local i = begin; i < end; i++) {
        firn_vec4 v = a->node_velocity[i];
        const firn_vec4 m = firn_vec4_all(v[3]);
        a->b[i] = a->node_new[i];
        if (a->scale != NULL)
            a->scale[i] =
                v[3] > 0 ? m / firn_vec4_madd(by, a->node_Hu[i], m) : (firn_vec4){1, 1, 1, 1};
        if (a->guess != FIRN_MPM_GUESS_INERTIAL || a->node_fixed[i] != 0 || !(v[3] > 0)) continue;
        v += fall;
        v[3] = 0;
        a->node_new[i] = v;
    }
}

static void start_solve(const firn_mpm_solve_args* a)
{
    firn_share(firn_grid_node_count(a->grid), FIRN_MPM_NODES_GRAIN, start_nodes, a);
    if (a->contacts != NULL)
        firn_mpm_contacts_start(a->contacts, &a->contact, a->node_velocity, a->b, a->scale);
}

static void linearize(const firn_mpm_solve_args* a)
{
    for_blocks_by_colour(a, NULL, linearize_block);
    start_solve(a);
}

static firn_cr_result solve_with(const firn_mpm_solve_args* a,
                                 double (*operator)(void* self, const firn_vec4* u, firn_vec4* out))
{
    const firn_local lumps = a->contacts != NULL ? a->contacts->lumps.count : 0;
    const firn_cr_args cr = {.count = firn_grid_node_count(a->grid) + 2 * lumps,
                             .weight = a->node_velocity,
                             .fixed = a->node_fixed,
                             .scale = a->scale,
                             .self = (void*)a,
                             .apply = operator,
                             .max_iterations = a->max_iterations,
                             .tolerance = a->tolerance,
                             .size_floor = a->size_floor,
                             .r = a->r,
                             .z = a->z,
                             .p = a->p,
                             .Az = a->Az,
                             .Ap = a->Ap,
                             .partial = a->partial,
                             .chunk = FIRN_BLOCK_NODES,
                             .add_up = firn_mpm_add_up};
    const firn_cr_result r = firn_cr_solve(&cr, a->b, a->node_new);
    if (a->contacts != NULL) firn_mpm_contacts_follow(a->contacts, &a->contact);
    return r;
}

static firn_cr_result solve(const firn_mpm_solve_args* a)
{
    linearize(a);
    return solve_with(a, apply);
}
