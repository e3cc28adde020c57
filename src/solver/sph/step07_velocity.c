// SPDX-License-Identifier: MIT
#include "solver/sph/step07_velocity.h"

static void velocity(const firn_sph_velocity_args* a)
{
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local i = 0; i < a->count; i++) {
        const firn_vec4 v = firn_vec4_madd(a->dt, a->a_G[i], a->v_star[i]);
        a->velocity[i] = firn_v3(v[0], v[1], v[2]);
    }
}
