// SPDX-License-Identifier: MIT
// Step 1, the loop over particles.
#include "solver/ballistic/step01_fall.h"

#include "solver/shared/loads.h"

void firn_ballistic_fall(const firn_ballistic_fall_args* a)
{
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local p = 0; p < a->particle_count; p++)
        firn_ballistic_fall_particle(a, p, firn_loads_mine(a->loads));
}
