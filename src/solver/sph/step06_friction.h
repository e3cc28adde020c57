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
static inline firn_vec4 firn_sph_held(const firn_sph_contact_sums* t, firn_real dt, firn_vec4 row)
{
    const firn_vec3 d = firn_v3(row[0], row[1], row[2]);
    const firn_real s = dt * t->drag / (1 + dt * t->drag);
    const firn_vec3 held = firn_v3_madd(d, -s, firn_sph_tangential(t, d));
    return (firn_vec4){held.x, held.y, held.z, 0};
}

// - s/dt T (v** - v_b)
static inline firn_vec4 firn_sph_braking(const firn_sph_contact_sums* t, firn_real dt, firn_vec4 v)
{
    const firn_vec3 rate = firn_v3_madd(t->drag_velocity, -t->drag, firn_v3(v[0], v[1], v[2]));
    const firn_vec3 a = firn_v3_scale(firn_sph_tangential(t, rate), 1 / (1 + dt * t->drag));
    return (firn_vec4){a.x, a.y, a.z, 0};
}

// [g dt] v_least: speed below which Coulomb's friction falls off in proportion to it.
#define FIRN_SPH_GRIP_SPEED ((firn_real)1e-3)

// a_n: by the pressure p, with factor psi, and by the trace of the stress, along -B.
static inline firn_real firn_sph_push(const firn_sph_contact_sums* t, firn_vec3 LB, firn_real psi_p,
                                      firn_real trace, firn_real density)
{
    const firn_vec3 off =
        firn_v3_scale(firn_v3_madd(firn_v3_scale(t->gradient, psi_p), -trace / 3, LB), 1 / density);
    const firn_real size2 = firn_v3_dot(t->gradient, t->gradient);
    return size2 > 0 ? firn_max(firn_v3_dot(off, t->gradient) / firn_sqrt(size2), 0) : 0;
}

// Replaces the drag of 1/s by Coulomb's. v: of the particle in the last step; push: a_n.
static inline void firn_sph_grip(firn_sph_contact_sums* t, firn_vec3 v, firn_real push,
                                 firn_real v_least)
{
    const firn_vec3 v_b = firn_v3_scale(t->drag_velocity, 1 / t->drag);
    const firn_vec3 slip = firn_sph_tangential(t, firn_v3_sub(v, v_b));
    t->drag += t->friction * push / firn_max(firn_v3_length(slip), v_least) - 1;
    t->drag_velocity = firn_v3_scale(v_b, t->drag);
}
