// SPDX-License-Identifier: MIT
// A bar of snow along x, L = 1 m, 2x2x2 particles per cell on a lattice that is the product of
// three lattices. With the same velocity over each section the problem is exactly one-dimensional:
// masses and forces of a node carry the same factor of y and z, and it cancels.
#pragma once
#include "solver/mpm/world.h"

#define BAR_PI 3.14159265358979323846

typedef struct bar {
    world* w;
    bool slip_walls;  // keep the section: velocities of nodes across x are taken away
    int cells;        // L/h
    double (*shape)(double x_over_L);  // of the mode
} bar;

static inline double bar_free_mode(double x)
{
    return cos(BAR_PI * x);
}

static inline double bar_fixed_mode(double x)
{
    return sin(0.5 * BAR_PI * x);
}

// Explicit, alpha = 1, no plasticity in reach, velocity `speed` times the mode.
static inline bar bar_create(int cells, int across, double (*shape)(double), double speed)
{
    const double h = 1.0 / cells;
    world* w = world_create(h);
    w->def.flip = 1;
    world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){cells, across, across}, 2, 0);
    for (firn_local p = 0; p < w->seeds.count; p++)
        w->seeds.velocity[p].x = (firn_real)(speed * shape((double)w->seeds.position[p].x));
    return (bar){w, true, cells, shape};
}

static inline void bar_start(bar* b)
{
    world_start(b->w);
}

// One step; slip walls act on the grid as in step 5.
static inline void bar_step(bar* b, double dt)
{
    world* w = b->w;
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_05_GRID_COLLIDE, dt);
    if (b->slip_walls)
        for (firn_local n = 0; n < world_nodes(w); n++)
            w->m->node_new[n][1] = w->m->node_new[n][2] = 0;
    world_stages(w, FIRN_MPM_06_SOLVE, FIRN_MPM_10_ADVECT, dt);
    world_step_done(w);
}

// How much of the mode is in the velocities, as a speed [m/s].
static inline double bar_velocity(const bar* b)
{
    double along = 0, size = 0;
    for (firn_local p = 0; p < b->w->m->p.count; p++) {
        const firn_vec3 x0 = b->w->seeds.position[b->w->m->p.id[p]];
        const double s = b->shape((double)x0.x);
        along += s * (double)b->w->m->p.velocity[p].x;
        size += s * s;
    }
    return along / size;
}

// The same of the displacements [m].
static inline double bar_displacement(const bar* b)
{
    double along = 0, size = 0;
    for (firn_local p = 0; p < b->w->m->p.count; p++) {
        const firn_vec3 x0 = b->w->seeds.position[b->w->m->p.id[p]];
        const double s = b->shape((double)x0.x);
        along += s * ((double)b->w->m->p.position[p].x - (double)x0.x);
        size += s * s;
    }
    return along / size;
}
