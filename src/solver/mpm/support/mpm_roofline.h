// SPDX-License-Identifier: MIT
// The least operations and bytes per particle that the method itself needs, however it is
// programmed. `firn bench` compares the measured time with both.
#pragma once
#include "math/bspline.h"
#include "solver/solver.h"

// FLIP. `iterations` of the linear solver per step, 0: explicit.
// `nodes_per_particle`: active grid nodes per particle.
firn_roofline firn_mpm_roofline(firn_spline spline, double iterations, double nodes_per_particle);
