// SPDX-License-Identifier: MIT
// Step 10, the loop over particles, by block for the fault report.
#include "solver/mpm/step10_advect.h"

#include "core/threads/team.h"

static void advect_blocks(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_advect_args* a = self;
    const firn_real limit = firn_mpm_runaway_limit(a->grid->cell, a->dt);
    for (firn_local b = begin; b < end; b++) {
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

static void advect(const firn_mpm_advect_args* a)
{
    firn_share(a->grid->occupied_count, 8, advect_blocks, a);
}
