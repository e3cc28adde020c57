// SPDX-License-Identifier: MIT
#include "solver/grains/step05_velocity.h"

void firn_grains_velocity(const firn_grains_velocity_args* a)
{
    const firn_real per_mass = a->dt / a->mass;
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local i = 0; i < a->count; i++)
        a->velocity[i] = firn_v3_madd(a->velocity[i], per_mass, a->force[i]);
}
