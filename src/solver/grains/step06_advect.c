// SPDX-License-Identifier: MIT
#include "solver/grains/step06_advect.h"

void firn_grains_advect(const firn_grains_advect_args* a)
{
    firn_local bad = a->p.count;
#pragma omp parallel for schedule(static) num_threads(a->threads) reduction(min : bad)
    for (firn_local i = 0; i < a->p.count; i++) {
        firn_grains_motion g = {a->p.position[i], a->p.velocity[i], a->p.spin[i], a->p.slip[i],
                                a->p.twist[i]};
        if (!firn_grains_move(&a->rules, a->slides[i] != 0, &g) && i < bad) bad = i;
        a->p.position[i] = g.x;
        a->p.slip[i] = g.slip;
        a->p.twist[i] = g.twist;
    }
    *a->out_bad = bad;
}
