// SPDX-License-Identifier: MIT
// Step 9, the loop over particles.
#include "solver/mpm/step09_particle_collide.h"

static void particle_collide(const firn_mpm_particle_collide_args* a)
{
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local p = 0; p < a->particle_count; p++) {
        a->velocity[p] =
            firn_mpm_collide_particle(a->colliders, a->collider_count, &a->shapes, &a->hold,
                                      a->cell, true, p, a->position[p], a->velocity[p]);
    }
}
