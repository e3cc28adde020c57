// SPDX-License-Identifier: MIT
// The least that a step can cost: operations and bytes per particle that the method itself asks
// for, however it is programmed. `firn bench` holds the measured time against both.
#pragma once
#include "math/bspline.h"

typedef struct firn_mpm_floor {
    double flops;  // operations on reals per particle and step; a fused multiply-add is two
    double bytes;  // read and written per particle and step
} firn_mpm_floor;

// FLIP. `iterations` of the linear solver per step, 0: explicit.
// `nodes_per_particle`: active grid nodes per particle.
firn_mpm_floor firn_mpm_floor_of(firn_spline spline, double iterations, double nodes_per_particle);
