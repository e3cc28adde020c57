// SPDX-License-Identifier: MIT
// What the shear solve leaves open, and colliders take, for C and CUDA; support/sph_loads.c says
// why. Of all particles the solve changes momentum and angular momentum by P and L, of which
// colliders have given P' and L'. The rest is shared like the motion y of one rigid body: particle
// i near colliders, of weight w, at x_i, gets
//
//     impulse  W_i J_i y     couple  w_i h^2 (rotation of y)
//     (sum J_i^T W_i J_i + w_i h^2 on rotations) y = (P - P', L - L')     about the origin
//
// so that the sums are exact whatever the weights W_i are (carried.h): along the surface it goes to
// where friction holds the snow, or what is open of a slope would pull at a plate that slides on
// it. Couples alone would grow with the size of the snow, and turn a small collider in it as if it
// were as large.
#pragma once
#include "solver/sph/laws/carried.h"

// Sums in double: of what particles get, FIRN_SPH_GOT of them, and of contact records.
enum {
    FIRN_SPH_GOT = 6,                                             // m v, x * m v + couple
    FIRN_SPH_SUM_MATRIX = FIRN_SPH_GOT,                           // sum J^T W J
    FIRN_SPH_SUM_WEIGHT = FIRN_SPH_SUM_MATRIX + FIRN_LUMP_TERMS,  // sum w [kg]
    FIRN_SPH_SUMS
};

// Momentum and angular momentum of a particle at x.
FIRN_FN void firn_sph_momenta(double mass, const double x[3], const double v[3],
                              double out[FIRN_SPH_GOT])
{
    for (int d = 0; d < 3; d++) {
        const int e = d < 2 ? d + 1 : 0, f = e < 2 ? e + 1 : 0;
        out[d] = mass * v[d];
        out[3 + d] = mass * (x[e] * v[f] - x[f] * v[e]);
    }
}

// How much a particle near colliders takes of what is open.
FIRN_FN firn_sph_carried firn_sph_open_of(const firn_sph_contact_sums* t, double mass, double dt)
{
    return firn_sph_carried_by(t, mass * (double)t->kernel, dt);
}

// Of a contact record, at x: what it has given and how much it takes.
FIRN_FN void firn_sph_gave(const firn_sph_contact_sums* t, double mass, firn_vec3 x, double dt,
                           double out[FIRN_SPH_SUMS])
{
    const firn_sph_carried w = firn_sph_open_of(t, mass, dt);
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    const double v[3] = {(double)t->given.x, (double)t->given.y, (double)t->given.z};
    firn_sph_momenta(mass, at, v, out);
    out[3] += (double)t->couple.x;
    out[4] += (double)t->couple.y;
    out[5] += (double)t->couple.z;
    for (int k = FIRN_SPH_SUM_MATRIX; k < FIRN_SPH_SUM_WEIGHT; k++) out[k] = 0;
    firn_lump_carry(at, w.n, w.along, w.across, out + FIRN_SPH_SUM_MATRIX);
    out[FIRN_SPH_SUM_WEIGHT] = w.along;
}

typedef struct firn_sph_residual {
    double y[6];  // [m/s, rad/s]
    double h2;    // h^2 [m^2]
} firn_sph_residual;

// h: spacing [m].
FIRN_FN firn_sph_residual firn_sph_residual_of(const double got[FIRN_SPH_GOT],
                                               const double gave[FIRN_SPH_SUMS], double h)
{
    firn_sph_residual r;
    double A[FIRN_LUMP_TERMS], L[FIRN_LUMP_TERMS];
    const double own = gave[FIRN_SPH_SUM_WEIGHT] * h * h;
    r.h2 = h * h;
    for (int k = 0; k < FIRN_LUMP_TERMS; k++) A[k] = gave[FIRN_SPH_SUM_MATRIX + k];
    for (int d = 3; d < 6; d++) A[firn_lump_at(d, d)] += own;
    const bool shared = firn_lump_factor(A, L);
    for (int d = 0; d < 6; d++) r.y[d] = shared ? got[d] - gave[d] : 0;
    if (shared) {
        firn_lump_forward(L, r.y);
        firn_lump_backward(L, r.y);
    }
    return r;
}

// What a particle near colliders, at x, gets of it.
FIRN_FN void firn_sph_residual_at(const firn_sph_residual* r, const firn_sph_carried* w,
                                  firn_vec3 x, double out_impulse[3], double out_couple[3])
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    double v[3];
    firn_lump_velocity(r->y, at, v);
    firn_sph_carried_apply(w, v, out_impulse);
    for (int d = 0; d < 3; d++) out_couple[d] = w->along * r->h2 * r->y[3 + d];
}
