// SPDX-License-Identifier: MIT
// Particles near dynamic colliders: what one of them adds to the collider's equations, and what the
// collider's velocity V adds to the particle's, for C and CUDA; rigid/sph_lumps.h explains it.
#pragma once
#include "solver/shared/lump.h"
#include "solver/sph/laws/contact.h"

// A particle near a dynamic collider.
typedef struct firn_sph_hold {
    firn_local particle, contact, lump;
    firn_vec3 arm;       // from the collider's centre of mass [m]
    firn_vec3 gradient;  // G = sum V_b grad W_ib over the collider's boundary particles [1/m]
    firn_real part;      // the collider's part of the friction of the particle
    firn_real source;    // of step 5 with the collider's velocity at t^n
} firn_sph_hold;

typedef enum firn_sph_brake {
    FIRN_SPH_BRAKE_ALL,    // step 4, `contact: paper`
    FIRN_SPH_BRAKE_NORMAL  // step 4; step 6 has the rest (hold_shear.h)
} firn_sph_brake;

FIRN_FN void firn_sph_hold_load(const firn_sph_hold* hold, double arm[3], double G[3])
{
    arm[0] = (double)hold->arm.x, arm[1] = (double)hold->arm.y, arm[2] = (double)hold->arm.z;
    G[0] = (double)hold->gradient.x, G[1] = (double)hold->gradient.y,
    G[2] = (double)hold->gradient.z;
}

// Adds the hold's friction to the matrix of its lump and the momentum that it pulls with. That of
// fluids is in step 4, in all directions. v: of the particle, of mass `mass` [kg].
FIRN_FN void firn_sph_hold_brake(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                                 firn_sph_brake brake, double dt, firn_real mass, firn_vec3 v,
                                 double A[FIRN_LUMP_TERMS], double side[6])
{
    // mass that friction couples to the collider in a step
    const double grip = dt * (double)t->drag * (double)hold->part * (double)mass;
    const firn_vec3 along = firn_sph_tangential(t, v);
    const firn_vec3 n = firn_v3_normalize(t->gradient, firn_v3(0, 0, 0));
    const bool flat = firn_v3_dot(n, n) > 0;  // else all directions are along the surface
    firn_vec3 pull = v;
    double normal = grip, across = grip;
    if (!t->fluid && brake == FIRN_SPH_BRAKE_NORMAL) {
        pull = firn_v3_sub(v, along);
        across = 0;
        normal = flat ? grip : 0;
    }
    const double arm[3] = {(double)hold->arm.x, (double)hold->arm.y, (double)hold->arm.z};
    const double axis[3] = {(double)n.x, (double)n.y, (double)n.z};
    const double j[3] = {grip * (double)pull.x, grip * (double)pull.y, grip * (double)pull.z};
    firn_lump_carry(arm, axis, normal, across, A);
    firn_lump_push(arm, j, side);
}

// sum V_b v_b . grad W_ib of a collider that moves at V: eq. 6.
FIRN_FN double firn_sph_hold_divergence(const firn_sph_hold* hold, const double V[6])
{
    const firn_vec3 v = firn_lump_velocity_at(V, hold->arm);
    return (double)firn_v3_dot(v, hold->gradient);
}

// Adds how an iteration's pressures push back: push rate (G, arm x G)^2. `push`: impulse per
// pressure [m^2 s], dt psi V_i; `rate`: pressure per divergence, omega rho dt / |a_ii|.
FIRN_FN void firn_sph_hold_soften(const firn_sph_hold* hold, double push, double rate,
                                  double A[FIRN_LUMP_TERMS])
{
    const double size = (double)firn_v3_length(hold->gradient);
    if (!(size > 0)) return;
    double arm[3], axis[3];
    firn_sph_hold_load(hold, arm, axis);
    for (int d = 0; d < 3; d++) axis[d] /= size;
    firn_lump_carry(arm, axis, push * rate * size * size, 0, A);
}

// Adds the impulse of the particle's pressure p [Pa] on the collider.
FIRN_FN void firn_sph_hold_push(const firn_sph_hold* hold, double push, double p, double side[6])
{
    double arm[3], j[3];
    firn_sph_hold_load(hold, arm, j);
    const double by = push * p;
    for (int d = 0; d < 3; d++) j[d] *= by;
    firn_lump_push(arm, j, side);
}

// Adds the particle's mass [kg], all of which moves with the collider.
FIRN_FN void firn_sph_hold_weigh(const firn_sph_hold* hold, firn_real mass,
                                 double A[FIRN_LUMP_TERMS])
{
    const double m = (double)hold->part * (double)mass;
    const double arm[3] = {(double)hold->arm.x, (double)hold->arm.y, (double)hold->arm.z};
    const double any[3] = {1, 0, 0};
    firn_lump_carry(arm, any, m, m, A);
}

// V += A^-1 side, where the collider rests on others, too. Changes A and side.
FIRN_FN void firn_sph_lump_solve(firn_lump* lump, const firn_lump_pin* pins,
                                 double A[FIRN_LUMP_TERMS], double side[6])
{
    double L[FIRN_LUMP_TERMS];
    firn_lump_pin_down(lump, pins, A, side);
    if (!firn_lump_factor(A, L)) return;
    firn_lump_forward(L, side);
    firn_lump_backward(L, side);
    for (int d = 0; d < 6; d++) lump->V[d] += side[d];
}

// The change of V that what is left over, `left` [N s, N m s], gives the lump A of a collider and
// the particles near it, with what it rests on if it gets `left`. False: none. Changes A.
FIRN_FN bool firn_sph_lump_balance(const firn_lump* lump, const firn_lump_pin* pins,
                                   const double left[6], double A[FIRN_LUMP_TERMS],
                                   double out_change[6])
{
    double L[FIRN_LUMP_TERMS], moved[6];
    firn_lump tried = *lump;
    firn_lump_apply(lump->give, left, moved);
    for (int d = 0; d < 6; d++) tried.V[d] += moved[d];
    firn_lump_pin_down(&tried, pins, A, NULL);
    if (!firn_lump_factor(A, L)) return false;
    for (int d = 0; d < 6; d++) out_change[d] = left[d];
    firn_lump_forward(L, out_change);
    firn_lump_backward(L, out_change);
    return true;
}

// What the loads of the step, `impulse` and `angular`, differ by from V.
FIRN_FN void firn_sph_lump_left(const firn_lump* lump, const double impulse[3],
                                const double angular[3], double out_left[6])
{
    double change[6], known[6];
    for (int d = 0; d < 6; d++) change[d] = lump->V[d] - lump->start[d];
    firn_lump_apply(lump->own, change, known);
    for (int d = 0; d < 3; d++) {
        out_left[d] = impulse[d] - known[d];
        out_left[3 + d] = angular[d] - known[3 + d];
    }
}
