// SPDX-License-Identifier: MIT
// Step 6, the loops: linearise, apply the operator, solve. Blocks of one colour share no node.
#include "solver/mpm/step06_solve.h"

#include <string.h>

#include "state/tile.h"

static void apply_block(const firn_mpm_solve_args* a, firn_local b, const firn_real4* u)
{
    firn_tile in, out;
    firn_tile_load(&in, u, a->grid->neighbour[b]);
    firn_tile_clear(&out);
    for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
        const firn_local p = a->grid->order[k];
        const firn_weights w = firn_weights_at(a->position[p], a->grid->inverse_cell);
        firn_real s[3][4];
        for (int d = 0; d < 3; d++) firn_bspline_slopes(w.t[d], a->grid->inverse_cell, s[d]);
        firn_real4 g[3];
        firn_tile_gather_gradient(firn_tile_corner_const(&in, &w), &w, (const firn_real(*)[4])s, g);
        const firn_mat3 grad_u = {{{g[0][0], g[1][0], g[2][0]},
                                   {g[0][1], g[1][1], g[2][1]},
                                   {g[0][2], g[1][2], g[2][2]}}};
        const firn_mat3 T = firn_mpm_stress_change_particle(a, p, grad_u);
        const firn_real4 column[3] = {{T.m[0][0], T.m[1][0], T.m[2][0], 0},
                                      {T.m[0][1], T.m[1][1], T.m[2][1], 0},
                                      {T.m[0][2], T.m[1][2], T.m[2][2], 0}};
        firn_tile_scatter_gradient(firn_tile_corner(&out, &w), &w, (const firn_real(*)[4])s,
                                   column);
    }
    firn_tile_add(&out, a->node_Hu, a->grid->neighbour[b]);
}

// out = u + beta dt^2 M^-1 H u on free nodes, 0 elsewhere.
static void apply(void* self, const firn_real4* u, firn_real4* out)
{
    const firn_mpm_solve_args* a = self;
    const firn_local node_count = firn_grid_node_count(a->grid);
    const firn_real scale = a->beta * a->dt * a->dt;
#pragma omp parallel num_threads(a->threads)
    {
#pragma omp for schedule(static)
        for (firn_local b = 0; b < a->grid->block_count; b++)
            memset(a->node_Hu + (size_t)b * FIRN_BLOCK_NODES, 0,
                   FIRN_BLOCK_NODES * sizeof(firn_real4));
        for (int colour = 0; colour < FIRN_GRID_COLOURS; colour++) {
#pragma omp for schedule(dynamic, 1)
            for (firn_local k = a->grid->colour_first[colour];
                 k < a->grid->colour_first[colour + 1]; k++)
                apply_block(a, a->grid->by_colour[k], u);
        }
#pragma omp for schedule(static)
        for (firn_local i = 0; i < node_count; i++) {
            const firn_real m = a->node_velocity[i][3];
            out[i] = m > 0 && a->node_fixed[i] == 0
                         ? firn_real4_madd(scale / m, a->node_Hu[i], u[i])
                         : (firn_real4){0, 0, 0, 0};
        }
    }
}

// b = v^*; the guess replaces it on free nodes.
static void start(const firn_mpm_solve_args* a)
{
    const firn_local node_count = firn_grid_node_count(a->grid);
    const firn_real4 fall = {a->dt * a->gravity.x, a->dt * a->gravity.y, a->dt * a->gravity.z, 0};
#pragma omp parallel num_threads(a->threads)
    {
#pragma omp for schedule(dynamic, 4)
        for (firn_local b = 0; b < a->grid->home_count; b++)
            for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
                const firn_local p = a->grid->order[k];
                a->linear[p] = firn_mpm_linear_particle(a, p);
            }
#pragma omp for schedule(static)
        for (firn_local i = 0; i < node_count; i++) {
            a->b[i] = a->node_new[i];
            firn_real4 v = a->node_velocity[i];
            if (a->guess != FIRN_MPM_GUESS_INERTIAL || a->node_fixed[i] != 0 || !(v[3] > 0))
                continue;
            v += fall;
            v[3] = 0;
            a->node_new[i] = v;
        }
    }
}

static firn_cr_result solve(const firn_mpm_solve_args* a)
{
    start(a);
    const firn_cr_args cr = {.count = firn_grid_node_count(a->grid),
                             .weight = a->node_velocity,
                             .fixed = a->node_fixed,
                             .self = (void*)a,
                             .apply = apply,
                             .max_iterations = a->max_iterations,
                             .tolerance = a->tolerance,
                             .size_floor = a->size_floor,
                             .threads = a->threads,
                             .r = a->r,
                             .p = a->p,
                             .Ar = a->Ar,
                             .Ap = a->Ap,
                             .partial = a->partial};
    return firn_cr_solve(&cr, a->b, a->node_new);
}
