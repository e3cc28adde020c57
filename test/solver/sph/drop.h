// SPDX-License-Identifier: MIT
// Drops of water without gravity, for tests of surface tension.
#pragma once
#include "physics/cohesion.h"
#include "solver/sph/fluid.h"

#define DROP_H 1e-3       // [m] spacing
#define DROP_SIGMA 0.072  // [N/m]
#define DROP_DENSITY 1000.0

// Water with a surface tension; no particles yet.
static inline world* drop_world(void)
{
    world* w = fluid_world(DROP_H, DROP_DENSITY, 0);
    w->material.snow.surface_tension = (firn_real)DROP_SIGMA;
    w->scene.gravity[1] = 0;
    w->def.dt_max = 0.4 * DROP_H;
    w->def.density_error = 2e-5;
    return w;
}

// A lattice in the ellipsoid with these half axes [m], particles off it by up to a tenth.
static inline void drop_ellipsoid(world* w, double a, double b, double c)
{
    any_source r = {7700, 0};
    const int n = (int)(fmax(fmax(a, b), c) / DROP_H) + 2;
    for (int i = -n; i < n; i++)
        for (int j = -n; j < n; j++)
            for (int k = -n; k < n; k++) {
                const double x = (i + 0.5) * DROP_H, y = (j + 0.5) * DROP_H, z = (k + 0.5) * DROP_H;
                if (x * x / (a * a) + y * y / (b * b) + z * z / (c * c) > 1) continue;
                const firn_vec3 at = firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
                world_add(w, firn_v3_add(at, any_vec3(&r, 0.1 * DROP_H)), world_mass(w));
            }
}

// Mean squares of the coordinates about the centre of mass [m^2].
static inline void drop_moments(const world* w, double out[3])
{
    const firn_local n = w->m->p.count;
    double mean[3] = {0};
    for (int pass = 0; pass < 2; pass++) {
        double sum[3] = {0};
        for (firn_local p = 0; p < n; p++) {
            const firn_vec3 x = w->m->p.position[p];
            const double d[3] = {(double)x.x - mean[0], (double)x.y - mean[1],
                                 (double)x.z - mean[2]};
            for (int k = 0; k < 3; k++) sum[k] += pass == 0 ? d[k] : d[k] * d[k];
        }
        for (int k = 0; k < 3; k++) *(pass == 0 ? &mean[k] : &out[k]) = sum[k] / n;
    }
}

// Radius of the ball with these mean squares [m].
static inline double drop_radius(const double moments[3])
{
    return sqrt(5.0 / 3 * (moments[0] + moments[1] + moments[2]));
}
