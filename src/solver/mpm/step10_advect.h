// SPDX-License-Identifier: MIT
// Step 10: x_p <- x_p + dt v_p. Stomakhin 2013, section 4.1. Also the guard against
// divergence: a particle that is not finite, or crosses more than a cell in one step, is a fault.
#pragma once
#include "core/simd/lanes.h"
#include "math/vec3.h"
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_advect_args {
    const firn_sparse_grid* grid;
    const firn_vec3* velocity;  // v_p^{n+1}
    firn_real dt;
    firn_vec3* position;     // in and out: x_p
    firn_mpm_fault* faults;  // out, per block
} firn_mpm_advect_args;

FIRN_FN firn_vec3 firn_mpm_advect(firn_vec3 x, firn_vec3 v, firn_real dt)
{
    return firn_v3(firn_real_fma(dt, v.x, x.x), firn_real_fma(dt, v.y, x.y),
                   firn_real_fma(dt, v.z, x.z));
}

// The largest |v|^2 that is no fault: a particle may cross one cell; beyond that the linearisation
// of grad v means nothing.
FIRN_FN firn_real firn_mpm_runaway_limit(firn_real cell, firn_real dt)
{
    return cell * cell / (dt * dt);
}
