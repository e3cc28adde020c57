// SPDX-License-Identifier: MIT
#include "solver/grains/step06_advect.h"

#include "core/threads/atomics.h"
#include "core/threads/team.h"

static void move_range(const void* self, firn_local begin, firn_local end)
{
    const firn_grains_advect_args* a = self;
    firn_local bad = a->p.count;
    for (firn_local i = begin; i < end; i++) {
        firn_grains_motion g = {a->p.position[i], a->p.velocity[i], a->p.spin[i], a->p.slip[i],
                                a->p.twist[i]};
        if (!firn_grains_move(&a->rules, a->slides[i] != 0, &g) && i < bad) bad = i;
        a->p.position[i] = g.x;
        a->p.slip[i] = g.slip;
        a->p.twist[i] = g.twist;
    }
    firn_atomic_min(a->out_bad, bad);
}

void firn_grains_advect(const firn_grains_advect_args* a)
{
    *a->out_bad = a->p.count;
    firn_share(a->p.count, 1024, move_range, a);
}
