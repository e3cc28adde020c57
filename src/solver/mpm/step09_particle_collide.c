// SPDX-License-Identifier: MIT
// Step 9, the loop over particles.
#include "solver/mpm/step09_particle_collide.h"

static void particle_collide(const firn_mpm_particle_collide_args* a)
{
    const firn_local chunk = 1024;  // of fixed size: sums do not depend on threads
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local from = 0; from < a->particle_count; from += chunk) {
        firn_mpm_pending pending = {-1, {0}};
        const firn_mpm_bodies bodies = firn_mpm_particle_bodies(a, &pending);
        const firn_local to = from + chunk < a->particle_count ? from + chunk : a->particle_count;
        for (firn_local p = from; p < to; p++)
            a->velocity[p] = firn_mpm_collide_particle(&bodies, &a->hold, a->cell, true, p,
                                                       a->position[p], a->velocity[p], a->mass[p]);
        firn_mpm_flush(&bodies);
    }
}
