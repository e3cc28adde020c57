// SPDX-License-Identifier: MIT
// Step 10, the loop over particles, by block for the fault report.
#include "solver/mpm/step10_advect.h"

static void advect(const firn_mpm_advect_args* a)
{
    const firn_real limit = firn_mpm_runaway_limit(a->grid->cell, a->dt);
#pragma omp parallel for schedule(dynamic, 8) num_threads(a->threads)
    for (firn_local b = 0; b < a->grid->occupied_count; b++) {
        firn_local runaway = -1;
        for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
            const firn_local p = a->grid->order[k];
            const firn_vec3 v = a->velocity[p];
            if (!(firn_v3_dot(v, v) <= limit) && runaway < 0) runaway = p;
            a->position[p] = firn_mpm_advect(a->position[p], v, a->dt);
        }
        a->faults[b].runaway = runaway;
    }
}
