// SPDX-License-Identifier: MIT
// Particles near dynamic colliders: what one of them adds to the collider's equations, and what the
// collider's velocity V adds to the particle's, for C and CUDA; rigid/sph_lumps.h explains it.
#pragma once
#include "solver/shared/lump.h"
#include "solver/sph/laws/carried.h"

// A particle near a dynamic collider.
typedef struct firn_sph_hold {
    firn_local particle, contact, lump;
    firn_vec3 arm;       // from the collider's centre of mass [m]
    firn_vec3 gradient;  // G = sum V_b grad W_ib over the collider's boundary particles [1/m]
    firn_real part;      // the collider's part of the friction of the particle
    firn_real source;    // of step 5 with the collider's velocity at t^n
} firn_sph_hold;

typedef enum firn_sph_brake {
    FIRN_SPH_BRAKE_ALL,     // step 4, `contact: paper`
    FIRN_SPH_BRAKE_NORMAL,  // step 4
    FIRN_SPH_BRAKE_ALONG    // step 6
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
    if (t->fluid && brake == FIRN_SPH_BRAKE_ALONG) return;
    // mass that friction couples to the collider in a step
    const double grip = dt * (double)t->drag * (double)hold->part * (double)mass;
    const firn_vec3 along = firn_sph_tangential(t, v);
    const firn_vec3 n = firn_v3_normalize(t->gradient, firn_v3(0, 0, 0));
    const bool flat = firn_v3_dot(n, n) > 0;  // else all directions are along the surface
    firn_vec3 pull = v;
    double normal = grip, across = grip;
    if (!t->fluid && brake == FIRN_SPH_BRAKE_ALONG) {
        pull = along;
        normal = flat ? 0 : grip;
    } else if (!t->fluid && brake == FIRN_SPH_BRAKE_NORMAL) {
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

// ---- what a collider returns of its normal forces -----------------------------------------------
// The stress of step 6 is not in the collider's V before the solve: it goes to the lump of the
// collider and the particles near it (firn_sph_lump_balance), so that these get a part of what they
// have pushed back. Friction must count what is left: N_i of those that push, less
//
//     N_i phi_i,  phi_i = n_i . J_i y,   sum (J^T n) N phi = sum (J^T n) (what they get back,
//     pulls)
//
// the sums over all, those that pull included: the friction of a face is mu times the resultant
// of its normal forces.

// Adds the impulse [N s] of a particle's push of `speed` [m/s] on the collider.
FIRN_FN void firn_sph_hold_leave(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                                 firn_real mass, double speed, double side[6])
{
    const double size = (double)firn_v3_length(t->gradient);
    if (size > 0) firn_sph_hold_push(hold, (double)mass * speed / size, 1, side);
}

// Adds to the equations of y. `change`: of V by what is left over.
FIRN_FN void firn_sph_hold_return(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                                  firn_real mass, double speed, const double change[6],
                                  double A[FIRN_LUMP_TERMS], double side[6])
{
    const firn_vec3 n = firn_v3_normalize(t->gradient, firn_v3(0, 0, 0));
    const double part = (double)hold->part * (double)mass;
    const double back = (double)firn_v3_dot(firn_lump_velocity_at(change, hold->arm), n);
    const double push = speed > 0 ? part * speed : 0,
                 less = part * (speed > 0 ? back : back - speed);
    const double arm[3] = {(double)hold->arm.x, (double)hold->arm.y, (double)hold->arm.z};
    const double axis[3] = {(double)n.x, (double)n.y, (double)n.z};
    const double j[3] = {less * axis[0], less * axis[1], less * axis[2]};
    firn_lump_carry(arm, axis, push, 0, A);
    firn_lump_push(arm, j, side);
}

// y of the equations A y = side, in `side`. Directions in which nothing pushes have none.
#define FIRN_SPH_RETURN_LEAST 1e-6  // of the mean diagonal term

FIRN_FN bool firn_sph_lump_share(double A[FIRN_LUMP_TERMS], double side[6])
{
    double L[FIRN_LUMP_TERMS], linear = 0, turn = 0;
    for (int d = 0; d < 3; d++) {
        linear += FIRN_SPH_RETURN_LEAST * A[firn_lump_at(d, d)];
        turn += FIRN_SPH_RETURN_LEAST * A[firn_lump_at(3 + d, 3 + d)];
    }
    for (int d = 0; d < 3; d++) {
        A[firn_lump_at(d, d)] += linear;
        A[firn_lump_at(3 + d, 3 + d)] += turn;
    }
    if (!firn_lump_factor(A, L)) return false;
    firn_lump_forward(L, side);
    firn_lump_backward(L, side);
    return true;
}

// Adds the collider's part of phi to `returned` of t.
FIRN_FN void firn_sph_hold_share(const firn_sph_hold* hold, const double y[6],
                                 firn_sph_contact_sums* t)
{
    const firn_vec3 n = firn_v3_normalize(t->gradient, firn_v3(0, 0, 0));
    t->returned += hold->part * firn_v3_dot(firn_lump_velocity_at(y, hold->arm), n);
}

// The particle's mass [kg] as it moves with the collider: all of it along the normal, and as far as
// friction holds it along the surface.
FIRN_FN firn_sph_carried firn_sph_hold_carried(const firn_sph_hold* hold,
                                               const firn_sph_contact_sums* t, firn_real mass,
                                               double dt)
{
    return firn_sph_carried_by(t, (double)hold->part * (double)mass, dt);
}

// Adds it.
FIRN_FN void firn_sph_hold_weigh(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                                 firn_real mass, double dt, double A[FIRN_LUMP_TERMS])
{
    const firn_sph_carried m = firn_sph_hold_carried(hold, t, mass, dt);
    const double arm[3] = {(double)hold->arm.x, (double)hold->arm.y, (double)hold->arm.z};
    firn_lump_carry(arm, m.n, m.along, m.across, A);
}

// The particle's change of velocity with a change of V.
FIRN_FN firn_vec3 firn_sph_hold_follow(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                                       firn_real mass, double dt, const double change[6])
{
    const firn_sph_carried m = firn_sph_hold_carried(hold, t, mass, dt);
    const firn_vec3 v = firn_lump_velocity_at(change, hold->arm);
    const double u[3] = {(double)v.x, (double)v.y, (double)v.z};
    double j[3];
    firn_sph_carried_apply(&m, u, j);
    const double per = 1 / (double)mass;
    return firn_v3((firn_real)(j[0] * per), (firn_real)(j[1] * per), (firn_real)(j[2] * per));
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
