// SPDX-License-Identifier: MIT
// Bars and columns of snow a few cells thin, as scenes can have them: lattices, planes, `volumes`.
#pragma once
#include "solver/mpm/bar.h"

// The world's snow: E, M [Pa], rho_0 [kg/m^3].
static const double thin_young = 1.4e5, thin_confined = 155555.56, thin_density = 400;

// What step 2 makes of the volume of an infinite bar `across` x `across` cells wide: the mean over
// a layer of rho_0 / rho_p^0, in each direction the same. Cubic splines on a lattice of half cells.
static inline double thin_step_2_volume(int across)
{
    double sum = 0;
    for (int p = 0; p < 2 * across; p++) {
        const double x = 0.25 + 0.5 * p;
        double rho = 0;
        for (int i = -2; i <= across + 2; i++) {
            double mass = 0;
            for (int q = 0; q < 2 * across; q++) {
                const double r = fabs(0.25 + 0.5 * q - i);
                mass += 0.5 * (r < 1   ? 0.5 * r * r * r - r * r + 2.0 / 3
                               : r < 2 ? pow(2 - r, 3) / 6
                                       : 0);
            }
            const double r = fabs(x - i);
            rho += mass * (r < 1   ? 0.5 * r * r * r - r * r + 2.0 / 3
                           : r < 2 ? pow(2 - r, 3) / 6
                                   : 0);
        }
        sum += 1 / rho;
    }
    return pow(sum / (2 * across), 2);
}

// Period of the first mode of a free bar over 2 L / sqrt(E / rho_0), as a speed: 1 is right.
static inline double thin_bar_speed(int across, int cells, int32_t volumes)
{
    const double c = sqrt(thin_young / thin_density), dt = 0.5 / cells / 19.72;
    bar b = bar_create(cells, across, bar_free_mode, 0.01);
    b.slip_walls = false;
    b.w->def.dt = dt;
    b.w->def.volumes = volumes;
    bar_start(&b);
    double before = bar_velocity(&b), zero[2] = {0, 0};
    for (int found = 0; found < 2;) {
        bar_step(&b, dt);
        const double v = bar_velocity(&b);
        if ((v < 0) != (before < 0)) zero[found++] = b.w->time - dt * v / (v - before);
        before = v;
    }
    world_destroy(b.w);
    // displacement and velocity start together: half a period apart
    return (1 / c) / (zero[1] - zero[0]);
}

// Settlement of the top of a column over rho_0 g H^2 / 2M; its foot stands `sunk` cells in the
// floor.
static inline double thin_settlement(int across, int high, double sunk, int32_t volumes)
{
    const double height = 0.25, h = height / high, half = 0.5 * across;
    world* w = world_create(h);
    w->def.flip = 0;
    w->def.volumes = volumes;
    w->scene.gravity[1] = -9.81;
    world_lattice(w, (const double[3]){-half, -sunk, -half},
                  (const double[3]){across, high, across}, 2, 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0);
    for (int side = -1; side <= 1; side += 2) {
        const firn_real at = (firn_real)(side * half * h), n = (firn_real)-side;
        world_plane(w, firn_v3(at, 0, 0), firn_v3(n, 0, 0), 0);
        world_plane(w, firn_v3(0, 0, at), firn_v3(0, 0, n), 0);
    }
    world_start(w);
    const double end = 0.4;  // eight periods of the column; PIC damps
    double sum = 0, time = 0;
    while (w->time < end) {
        world_step(w, end - w->time);
        if (w->time < 0.75 * end) continue;
        double down = 0, count = 0;
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const firn_vec3 x0 = w->seeds.position[w->m->p.id[p]];
            if ((double)x0.y < (high - sunk - 0.4) * h) continue;
            down += (double)x0.y - (double)w->m->p.position[p].y;
            count++;
        }
        sum += down / count * w->m->base.dt;
        time += w->m->base.dt;
    }
    world_destroy(w);
    return sum / time / (thin_density * 9.81 * height * height / (2 * thin_confined));
}
