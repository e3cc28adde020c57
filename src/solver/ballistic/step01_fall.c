// SPDX-License-Identifier: MIT
// Step 1, the loop over particles.
#include "solver/ballistic/step01_fall.h"

#include "core/threads/team.h"
#include "solver/shared/loads.h"

static void fall_range(const void* self, firn_local begin, firn_local end)
{
    const firn_ballistic_fall_args* a = self;
    firn_impulse* taken = firn_loads_mine(a->loads);
    for (firn_local p = begin; p < end; p++) firn_ballistic_fall_particle(a, p, taken);
}

void firn_ballistic_fall(const firn_ballistic_fall_args* a)
{
    firn_share(a->particle_count, 128, fall_range, a);  // 40 ns a particle and collider
}
