// SPDX-License-Identifier: MIT
// Step 10, the loop over particles, by block for the fault report.
#include "solver/mpm/step10_advect.h"

static void advect(const firn_mpm_advect_args* a)
{
    // a particle may cross one cell: beyond that the linearisation of grad v means nothing
    const firn_real limit = a->grid->cell * a->grid->cell / (a->dt * a->dt);
#pragma omp parallel for schedule(dynamic, 8) num_threads(a->threads)
    for (firn_local b = 0; b < a->grid->home_count; b++) {
        firn_local runaway = -1;
        for (firn_local p = a->grid->first[b]; p < a->grid->first[b + 1]; p++) {
            const firn_vec3 v = a->velocity[p];
            if (!(firn_v3_dot(v, v) <= limit) && runaway < 0) runaway = p;
            a->position[p] = firn_mpm_advect_particle(a, p);
        }
        a->faults[b].runaway = runaway;
    }
}
