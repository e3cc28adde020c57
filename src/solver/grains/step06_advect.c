// SPDX-License-Identifier: MIT
#include "solver/grains/step06_advect.h"

#include "solver/grains/grain_step.h"

void firn_grains_advect(const firn_grains_advect_args* a)
{
    firn_local bad = a->count;
    const firn_grains_move_rules rules = {a->dt, a->farthest, a->stick_speed, a->slip_most};
#pragma omp parallel for schedule(static) num_threads(a->threads) reduction(min : bad)
    for (firn_local i = 0; i < a->count; i++)
        if (!firn_grains_move(&rules, a->velocity[i], &a->position[i], &a->slip[i]) && i < bad)
            bad = i;
    *a->out_bad = bad;
}
