// SPDX-License-Identifier: MIT
// Maxima over all particles, which do not depend on the order of threads. Sound: one SIMD batch of
// particles at a time, c^2 = (lambda + 2 mu) / rho, hardened. VALIDATION section 0
#include "solver/mpm/support/mpm_measure.h"

#include <math.h>

#include "physics/snow_hardening_lanes.h"

// The largest c^2 of `count` particles from p on, at most one SIMD batch.
static firn_real largest_sound_squared(const firn_mpm_measure_args* a, firn_local p, int count)
{
    firn_real xi[FIRN_LANES], J_P[FIRN_LANES], cap[FIRN_LANES], rest[FIRN_LANES];
    for (int lane = 0; lane < FIRN_LANES; lane++) {
        const firn_local q = p + (lane < count ? lane : count - 1);
        const firn_mpm_material* mat = &a->materials[a->material[q]];
        J_P[lane] = a->plastic_det[q];
        xi[lane] = firn_mpm_rate(mat, a->hardening, q, J_P[lane]);
        cap[lane] = mat->hardening_max;
        rest[lane] = mat->sound_squared * a->stiffness[q];
    }
    const firn_lanes h =
        firn_snow_hardening_lanes(firn_lanes_load(xi), firn_lanes_load(J_P), firn_lanes_load(cap));
    firn_lanes_store(rest, firn_lanes_load(rest) * h);
    firn_real most = 0;
    for (int lane = 0; lane < FIRN_LANES; lane++) most = firn_max(rest[lane], most);
    return most / a->lightest;
}

static firn_mpm_measured measure(const firn_mpm_measure_args* a)
{
    firn_real speed2 = 0, sound2 = 0;
    firn_local bad = a->particle_count;
#pragma omp parallel for schedule(static) num_threads(a->threads) reduction(max               \
                                                                            : speed2, sound2) \
    reduction(min                                                                             \
              : bad)
    for (firn_local p = 0; p < a->particle_count; p += FIRN_LANES) {
        const firn_local left = a->particle_count - p;
        const int count = left < FIRN_LANES ? (int)left : FIRN_LANES;
        for (firn_local q = p; q < p + count; q++) {
            const firn_vec3 v = a->velocity[q];
            const firn_real s = firn_v3_dot(v, v);
            if (!(s < FIRN_REAL_MAX) && q < bad) bad = q;
            speed2 = firn_max(s, speed2);
        }
        if (a->sound) sound2 = firn_max(largest_sound_squared(a, p, count), sound2);
    }
    return (firn_mpm_measured){sqrt((double)speed2), sqrt((double)sound2), bad};
}
