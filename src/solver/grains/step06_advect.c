// SPDX-License-Identifier: MIT
#include "solver/grains/step06_advect.h"

#include "math/vec3.h"

void firn_grains_advect(const firn_grains_advect_args* a)
{
    firn_local bad = a->count;
    const firn_real limit = a->farthest / a->dt, limit2 = limit * limit;
    const firn_real stick2 = a->stick_speed * a->stick_speed;
    const firn_real most2 = a->slip_most * a->slip_most;
#pragma omp parallel for schedule(static) num_threads(a->threads) reduction(min : bad)
    for (firn_local i = 0; i < a->count; i++) {
        const firn_vec3 v = a->velocity[i];
        const firn_real speed2 = firn_v3_dot(v, v);
        if (!(speed2 < limit2) && i < bad) bad = i;
        a->position[i] = firn_v3_madd(a->position[i], a->dt, v);
        const firn_vec3 slip = firn_v3_madd(a->slip[i], a->dt, v);
        const bool rests = speed2 < stick2 && firn_v3_dot(slip, slip) < most2;
        a->slip[i] = rests ? slip : firn_v3(0, 0, 0);
    }
    *a->out_bad = bad;
}
