// SPDX-License-Identifier: MIT
#include "solver/grains/step05_velocity.h"

#include "core/threads/team.h"
#include "solver/grains/grain_step.h"

static void accelerate_range(const void* self, firn_local begin, firn_local end)
{
    const firn_grains_velocity_args* a = self;
    for (firn_local i = begin; i < end; i++)
        firn_grains_accelerate(a->constants, a->w.force[i], a->w.torque[i], a->p.radius[i], a->dt,
                               &a->p.velocity[i], &a->p.spin[i]);
}

void firn_grains_velocity(const firn_grains_velocity_args* a)
{
    firn_share(a->p.count, 1024, accelerate_range, a);
}
