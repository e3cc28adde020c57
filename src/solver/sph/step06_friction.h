// SPDX-License-Identifier: MIT
// Friction in the matrix of the shear solve (`contact: implicit`), for particles near colliders:
//   a = 1/rho div sigma - kappa T (v** + dt a - v_b),   kappa v_b = sum_b kappa_b v_b
// with kappa_b of eq. 25 (step04_friction.h) and T the projection on the surface. With
// s = dt kappa / (1 + dt kappa) the row, divided by 1 + dt kappa T, is
//   a - (1 - s T) dt^2/rho div(...) = (1 - s T) 1/rho div(...) - s/dt T (v** - v_b)
// Coulomb's friction (`contact: coulomb`) has kappa = mu a_n / |T (v_i - v_b)| with the velocity of
// the last step: a_n is the acceleration by which colliders push the particle off. Snow that slides
// is braked by mu a_n. Slower than v_least it is not: with tan a < mu snow on a slope slows down by
// tan a / mu in every step, and creeps at less than v_least in the end.
// Each row keeps the size of an acceleration, however strong friction is. The loops over pairs know
// nothing of it: only rows near colliders are changed, after them.
#pragma once
#include "solver/sph/step04_friction.h"
#include "solver/sph/step06_shear.h"

// (1 - s T) of a row.
static inline firn_vec4 firn_sph_held_row(const firn_sph_contact_sums* t, firn_real dt,
                                          firn_vec4 row)
{
    const firn_vec3 held = firn_sph_held(t, dt, firn_v3(row[0], row[1], row[2]));
    return (firn_vec4){held.x, held.y, held.z, 0};
}

// s T of dynamic colliders' acceleration
static inline firn_vec4 firn_sph_followed_row(const firn_sph_contact_sums* t, firn_real dt)
{
    const firn_vec3 f = firn_sph_followed(t, dt);
    return (firn_vec4){f.x, f.y, f.z, 0};
}

// - s/dt T (v** - v_b)
static inline firn_vec4 firn_sph_braking_row(const firn_sph_contact_sums* t, firn_real dt,
                                             firn_vec4 v)
{
    const firn_vec3 a = firn_sph_braking(t, dt, firn_v3(v[0], v[1], v[2]));
    return (firn_vec4){a.x, a.y, a.z, 0};
}
