// SPDX-License-Identifier: MIT
#include "solver/grains/step05_velocity.h"

#include "solver/grains/grain_step.h"

void firn_grains_velocity(const firn_grains_velocity_args* a)
{
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local i = 0; i < a->p.count; i++)
        firn_grains_accelerate(a->constants, a->w.force[i], a->w.torque[i], a->p.radius[i], a->dt,
                               &a->p.velocity[i], &a->p.spin[i]);
}
