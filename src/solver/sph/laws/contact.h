// SPDX-License-Identifier: MIT
// Snow at colliders: what a particle has of them (Gissler 2020, section 3.4), friction (eq. 24-25)
// and what the shear solve has of both. For C and CUDA; step04_friction.h and step06_friction.h
// explain the laws, laws/contact_sums.h has the sums.
#pragma once
#include "math/mat3.h"
#include "math/vec3.h"

// Sums over the boundary particles b within the support of one snow particle (section 3.4).
// Colliders do not move during a solve, so a step needs nothing else of them. With contact: coulomb
// step 6 finds `drag`; before, it is 1/s where colliders have friction.
typedef struct firn_sph_contact_sums {
    firn_local particle;
    firn_vec3 gradient;       // sum V_b grad W_ib                                           [1/m]
    firn_real kernel;         // sum V_b W_ib                                                [-]
    firn_mat3 moment;         // sum V_b grad W_ib (x_b - x_i)^T, bodies' part of eq. 15     [-]
    firn_vec3 normal;         // of the surface, weighted by V_b |grad W_ib|; 0: none        [-]
    firn_real flat;           // 1: it is the normal of all particles b; 0: they differ      [-]
    firn_real divergence;     // sum V_b v_b . grad W_ib, bodies' part of eq. 6              [1/s]
    firn_real drag;           // nu_b sum V_b |x_ib . grad W_ib| / (r^2 + 0.01 h^2), eq. 25  [1/s]
    firn_vec3 drag_velocity;  // the same with v_b                                        [m/s^2]
    firn_real push;           // in step 6: of firn_sph_push                                [m/s^2]
    firn_real sticky;         // in step 6: drag without Coulomb's                            [1/s]
    firn_real trace;       // in step 6, on a GPU: tr(sigma) of a field                       [Pa]
    firn_real held;        // the same, with Coulomb's where the snow rests                [1/s]
    firn_real friction;    // contact: coulomb; mean coefficient of colliders               [-]
    firn_vec3 adhesion;    // acceleration (Akinci 2013)                                  [m/s^2]
    firn_real heat_rate;   // conductance to bodies with a temperature                    [W/K]
    firn_real heat_power;  // the same times their temperature                            [W]
    bool fluid;            // the particle is one: `drag` is that of its viscosity
    firn_real mirror;      // `gradient` of a fluid over sum V_b grad W_ib; snow: 1         [-]
    firn_local body;       // the only collider near it; else FIRN_SPH_NO_BODY or _BODIES
    firn_vec3 follow;      // in step 6: acceleration of dynamic colliders there         [m/s^2]
    firn_vec3 braked;      // change of velocity in step 4                                [m/s]
    firn_vec3 given;       // change of velocity by colliders in step 6 (laws/loads.h)    [m/s]
    firn_vec3 couple;      // angular impulse of its stress in step 6 (laws/loads.h)    [N m s]
} firn_sph_contact_sums;
#define FIRN_SPH_NO_BODY (-1)
#define FIRN_SPH_BODIES (-2)

// A vector of the sums without its part along the surface, as far as the surface is flat.
FIRN_FN firn_vec3 firn_sph_along_normal(const firn_sph_contact_sums* t, firn_vec3 v)
{
    const firn_vec3 normal = firn_v3_scale(t->normal, firn_v3_dot(v, t->normal));
    return firn_v3_madd(v, t->flat, firn_v3_sub(normal, v));
}

FIRN_FN firn_vec3 firn_sph_friction_velocity(firn_vec3 v, firn_real dt, firn_real drag,
                                             firn_vec3 drag_velocity)
{
    return firn_v3_scale(firn_v3_madd(v, dt, drag_velocity), 1 / (1 + dt * drag));
}

// The part of v along the surface. Its normal is that of sum V_b grad W_ib; between two colliders
// that sum may vanish, and v is along both.
FIRN_FN firn_vec3 firn_sph_tangential(const firn_sph_contact_sums* t, firn_vec3 v)
{
    const firn_real size2 = firn_v3_dot(t->gradient, t->gradient);
    if (!(size2 > 0)) return v;
    return firn_v3_madd(v, -firn_v3_dot(v, t->gradient) / size2, t->gradient);
}

// Step 4: the velocity after friction. `paper`: all of it; else its part along the normal.
FIRN_FN firn_vec3 firn_sph_contact_brake(const firn_sph_contact_sums* t, firn_real dt, bool paper,
                                         firn_vec3 before)
{
    const firn_vec3 slowed = firn_sph_friction_velocity(before, dt, t->drag, t->drag_velocity);
    if (paper) return slowed;
    return firn_v3_sub(slowed, firn_sph_tangential(t, firn_v3_sub(slowed, before)));
}

// (1 - s T) of a row of the shear solve.
FIRN_FN firn_vec3 firn_sph_held(const firn_sph_contact_sums* t, firn_real dt, firn_vec3 row)
{
    const firn_real s = dt * t->drag / (1 + dt * t->drag);
    return firn_v3_madd(row, -s, firn_sph_tangential(t, row));
}

// s T of the acceleration of dynamic colliders, which a row of the shear solve follows.
FIRN_FN firn_vec3 firn_sph_followed(const firn_sph_contact_sums* t, firn_real dt)
{
    const firn_real s = dt * t->drag / (1 + dt * t->drag);
    return firn_v3_scale(firn_sph_tangential(t, t->follow), s);
}

// - s/dt T (v** - v_b)
FIRN_FN firn_vec3 firn_sph_braking(const firn_sph_contact_sums* t, firn_real dt, firn_vec3 v)
{
    const firn_vec3 rate = firn_v3_madd(t->drag_velocity, -t->drag, v);
    return firn_v3_scale(firn_sph_tangential(t, rate), 1 / (1 + dt * t->drag));
}

// [g dt] Of the least slip: speed below which Coulomb's friction falls off in proportion to it.
#define FIRN_SPH_GRIP_SPEED ((firn_real)1e-3)

FIRN_FN firn_real firn_sph_least_slip(firn_real dt, firn_real gravity)
{
    return FIRN_SPH_GRIP_SPEED * dt * firn_max(gravity, 1);
}

// By the pressure p, with factor psi, and by the trace of the stress, along -B; negative: a pull.
FIRN_FN firn_real firn_sph_push(const firn_sph_contact_sums* t, firn_vec3 LB, firn_real psi_p,
                                firn_real trace, firn_real density)
{
    const firn_vec3 off =
        firn_v3_scale(firn_v3_madd(firn_v3_scale(t->gradient, psi_p), -trace / 3, LB), 1 / density);
    const firn_real size2 = firn_v3_dot(t->gradient, t->gradient);
    return size2 > 0 ? firn_v3_dot(off, t->gradient) / firn_sqrt(size2) : 0;
}

// Coulomb's drag of a particle at v on a collider at v_b.
FIRN_FN void firn_sph_grip_at(firn_sph_contact_sums* t, firn_vec3 v, firn_vec3 v_b,
                              firn_real v_least)
{
    const firn_real slip = firn_v3_length(firn_sph_tangential(t, firn_v3_sub(v, v_b)));
    t->drag = t->sticky + t->friction * firn_max(t->push, 0) / firn_max(slip, v_least);
    t->held = slip > v_least ? t->sticky : t->drag;
}

// Replaces the drag of 1/s by Coulomb's. v: of the particle in the last step; push: of
// firn_sph_push.
FIRN_FN void firn_sph_grip(firn_sph_contact_sums* t, firn_vec3 v, firn_real push, firn_real v_least)
{
    const firn_vec3 v_b = firn_v3_scale(t->drag_velocity, 1 / t->drag);
    t->push = push;
    t->sticky = t->drag - 1;
    firn_sph_grip_at(t, v, v_b, v_least);
    t->drag_velocity = firn_v3_scale(v_b, t->drag);
}
