// SPDX-License-Identifier: MIT
// Step 10: x_p <- x_p + dt v_p. Stomakhin 2013, section 4.1. Also the guard of "never explode": a
// particle that is not finite, or crosses more than a cell in one step, is a fault.
#pragma once
#include "math/vec3.h"
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_advect_args {
    const firn_sparse_grid* grid;
    const firn_vec3* velocity;  // v_p^{n+1}
    firn_real dt;
    firn_vec3* position;     // in and out: x_p
    firn_mpm_fault* faults;  // out, per block
    int threads;
} firn_mpm_advect_args;

static inline firn_vec3 firn_mpm_advect_particle(const firn_mpm_advect_args* a, firn_local p)
{
    return firn_v3_madd(a->position[p], a->dt, a->velocity[p]);
}

// The largest |v|^2 that is no fault: a particle may cross one cell; beyond that the linearisation
// of grad v means nothing.
static inline firn_real firn_mpm_runaway_limit(const firn_mpm_advect_args* a)
{
    return a->grid->cell * a->grid->cell / (a->dt * a->dt);
}
