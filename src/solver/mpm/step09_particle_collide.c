// SPDX-License-Identifier: MIT
// Step 9, the loop over particles.
#include "solver/mpm/step09_particle_collide.h"

static void particle_collide(const firn_mpm_particle_collide_args* a)
{
#pragma omp parallel num_threads(a->threads)
    {
        const firn_mpm_bodies bodies = firn_mpm_particle_bodies(a);
#pragma omp for schedule(static)
        for (firn_local p = 0; p < a->particle_count; p++)
            a->velocity[p] = firn_mpm_collide_particle(&bodies, &a->hold, a->cell, true, p,
                                                       a->position[p], a->velocity[p], a->mass[p]);
    }
}
