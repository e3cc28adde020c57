// SPDX-License-Identifier: MIT
// Maxima over all particles, which do not depend on the order of threads. Sound: one SIMD batch of
// particles at a time, c^2 = (lambda + 2 mu) / rho, hardened. VALIDATION section 0
#include "solver/mpm/support/mpm_measure.h"

#include <math.h>

#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "physics/snow_hardening_lanes.h"

// What c^2 of a SIMD batch is computed from.
typedef struct sound_lanes {
    firn_lanes xi, J_P, cap, rest;
} sound_lanes;

// `count` particles of any materials from p on, at most one SIMD batch.
static sound_lanes gather_sound(const firn_mpm_measure_args* a, firn_local p, int count)
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
    return (sound_lanes){firn_lanes_load(xi), firn_lanes_load(J_P), firn_lanes_load(cap),
                         firn_lanes_load(rest)};
}

// The same for a whole batch of one material, the usual case.
static sound_lanes load_sound(const firn_mpm_measure_args* a, firn_local p)
{
    const firn_mpm_material* mat = &a->materials[a->material[p]];
    const firn_lanes J_P = firn_lanes_load(a->plastic_det + p);
    firn_lanes xi = firn_lanes_select(firn_lanes_less(firn_lanes_all(1), J_P),
                                      firn_lanes_all(mat->xi_t), firn_lanes_all(mat->xi));
    if (a->hardening != NULL) xi *= firn_lanes_load(a->hardening + p);
    return (sound_lanes){xi, J_P, firn_lanes_all(mat->hardening_max),
                         firn_lanes_all(mat->sound_squared) * firn_lanes_load(a->stiffness + p)};
}

static bool is_of_one_material(const firn_mpm_measure_args* a, firn_local p, int count)
{
    if (count < FIRN_LANES) return false;
    int other = 0;
    for (int lane = 1; lane < FIRN_LANES; lane++) other |= a->material[p + lane] ^ a->material[p];
    return other == 0;
}

// The largest c^2 times the lightest density factor, of `count` particles from p on, lane by lane
// with `most`.
static firn_lanes largest_sound_squared(const firn_mpm_measure_args* a, firn_local p, int count,
                                        firn_lanes most)
{
    const sound_lanes s =
        is_of_one_material(a, p, count) ? load_sound(a, p) : gather_sound(a, p, count);
    return firn_lanes_max(s.rest * firn_snow_hardening_lanes(s.xi, s.J_P, s.cap), most);
}

typedef struct measure_pass {
    const firn_mpm_measure_args* a;
    firn_real *speed2, *sound2;
    firn_local* bad;
} measure_pass;

// Items are SIMD batches.
static void measure_batches(const void* self, firn_local begin, firn_local end)
{
    const measure_pass* pass = self;
    const firn_mpm_measure_args* a = pass->a;
    firn_real speed2 = 0, sound2 = 0;
    firn_lanes sounds = firn_lanes_all(0);
    for (firn_local p = begin * FIRN_LANES; p < a->particle_count && p < end * FIRN_LANES;
         p += FIRN_LANES) {
        const firn_local left = a->particle_count - p;
        const int count = left < FIRN_LANES ? (int)left : FIRN_LANES;
        for (firn_local q = p; q < p + count; q++) {
            const firn_vec3 v = a->velocity[q];
            const firn_real s = firn_v3_dot(v, v);
            if (!(s < FIRN_REAL_MAX)) firn_atomic_min(pass->bad, q);
            speed2 = firn_max(s, speed2);
        }
        if (a->sound) sounds = largest_sound_squared(a, p, count, sounds);
    }
    firn_real sound[FIRN_LANES];
    firn_lanes_store(sound, sounds);
    for (int lane = 0; lane < FIRN_LANES; lane++)
        sound2 = firn_max(sound[lane] / a->lightest, sound2);
    firn_atomic_max(pass->speed2, speed2);
    firn_atomic_max(pass->sound2, sound2);
}

static firn_mpm_measured measure(const firn_mpm_measure_args* a)
{
    firn_real speed2 = 0, sound2 = 0;
    firn_local bad = a->particle_count;
    const measure_pass pass = {a, &speed2, &sound2, &bad};
    firn_share(a->particle_count / FIRN_LANES + 1, 2048 / FIRN_LANES, measure_batches, &pass);
    return (firn_mpm_measured){sqrt((double)speed2), sqrt((double)sound2), bad};
}
