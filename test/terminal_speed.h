// SPDX-License-Identifier: MIT
// The terminal speed of a flake by the drag law of physics/drag.h: a reference for tests.
#pragma once
#include "physics/drag.h"

// [m/s]: the speed at which drag balances the weight m g, by a fixed point of v = g/rate(v). The
// rate grows slower than v, so that averaging old and new v converges from any start.
static inline double terminal_speed(firn_real diameter, firn_real mass, firn_real gravity,
                                    firn_real air_density, firn_real air_viscosity)
{
    double v = 1;
    for (int k = 0; k < 100; k++) {
        const double rate =
            (double)firn_drag_rate((firn_real)v, diameter, mass, air_density, air_viscosity);
        v = 0.5 * (v + (double)gravity / rate);
    }
    return (double)(firn_real)v;
}

// [m]: of the sphere that has the volume of a cube of this edge [m].
static inline firn_real sphere_diameter(firn_real edge)
{
    return (firn_real)1.2407009817988 * edge;  // (6/pi)^(1/3)
}
