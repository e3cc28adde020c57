// SPDX-License-Identifier: MIT
// What the shear solve leaves open, and colliders take, for C and CUDA; support/sph_loads.c says
// why. Of all particles the solve changes momentum and angular momentum by P and L, of which
// colliders have given P' and L'. The rest is shared like the motion of one rigid body: a particle
// near colliders, at x and of weight w, has
//
//     impulse  w (f + s x (x - c))     couple  w h^2 s      c: the center of all weights
//     W f = P - P',     (sum w (r^2 1 - r r^T) + W h^2 1) s = L - L' - c x (P - P'),   r = x - c
//
// whose sums are P - P' and L - L', whatever the weights are. Couples alone would grow with the
// size of the snow, and turn a small collider in it as if it were as large.
#pragma once
#include "math/vec3.h"

// Sums over particles or contact records, in double: for each axis, then of weights.
enum {
    FIRN_SPH_SUM_MOMENTUM,  // m v
    FIRN_SPH_SUM_ANGULAR,   // (m x * v + couple), about the origin
    FIRN_SPH_SUM_FIRST,     // w x
    FIRN_SPH_SUM_SECOND,    // w x_d x_d
    FIRN_SPH_SUM_MIXED,     // w x_d x_e, e the next axis
    FIRN_SPH_SUM_AXIS,      // sums of an axis
    FIRN_SPH_SUM_WEIGHT = 3 * FIRN_SPH_SUM_AXIS,
    FIRN_SPH_SUMS
};

// A particle whose velocity has changed by v, or a contact record that has given it.
typedef struct firn_sph_change {
    double x[3], v[3], couple[3];
    double mass, weight;
} firn_sph_change;

// Adds it to the sums of axis d.
FIRN_FN void firn_sph_change_add(const firn_sph_change* a, int d, double sum[FIRN_SPH_SUM_AXIS])
{
    const int e = d < 2 ? d + 1 : 0, f = e < 2 ? e + 1 : 0;
    sum[FIRN_SPH_SUM_MOMENTUM] += a->mass * a->v[d];
    sum[FIRN_SPH_SUM_ANGULAR] += a->mass * (a->x[e] * a->v[f] - a->x[f] * a->v[e]) + a->couple[d];
    sum[FIRN_SPH_SUM_FIRST] += a->weight * a->x[d];
    sum[FIRN_SPH_SUM_SECOND] += a->weight * a->x[d] * a->x[d];
    sum[FIRN_SPH_SUM_MIXED] += a->weight * a->x[d] * a->x[e];
}

typedef struct firn_sph_residual {
    double f[3], s[3], c[3];  // [N s/kg], [N s/(kg m)], [m]
    double h2;                // h^2 [m^2]
} firn_sph_residual;

// s = J^-1 l; J positive definite, by rows of its lower triangle.
FIRN_FN void firn_sph_residual_spin(const double J[6], const double l[3], double out_s[3])
{
    const double a = J[0], b = J[1], c = J[2], d = J[3], e = J[4], f = J[5];
    const double A = c * f - e * e, B = d * e - b * f, C = b * e - c * d;
    const double det = a * A + b * B + d * C;
    out_s[0] = (A * l[0] + B * l[1] + C * l[2]) / det;
    out_s[1] = (B * l[0] + (a * f - d * d) * l[1] + (b * d - a * e) * l[2]) / det;
    out_s[2] = (C * l[0] + (b * d - a * e) * l[1] + (a * c - b * b) * l[2]) / det;
}

// Of what particles got and contacts gave. h: spacing.
FIRN_FN firn_sph_residual firn_sph_residual_of(const double got[FIRN_SPH_SUMS],
                                               const double gave[FIRN_SPH_SUMS], double h)
{
    firn_sph_residual r;
    const double W = gave[FIRN_SPH_SUM_WEIGHT];
    double p[3], l[3], second[3], mixed[3];
    r.h2 = h * h;
    for (int d = 0; d < 3; d++) {
        const int at = d * FIRN_SPH_SUM_AXIS;
        r.f[d] = r.s[d] = r.c[d] = 0;
        if (!(W > 0)) continue;
        p[d] = got[at + FIRN_SPH_SUM_MOMENTUM] - gave[at + FIRN_SPH_SUM_MOMENTUM];
        l[d] = got[at + FIRN_SPH_SUM_ANGULAR] - gave[at + FIRN_SPH_SUM_ANGULAR];
        r.f[d] = p[d] / W;
        r.c[d] = gave[at + FIRN_SPH_SUM_FIRST] / W;
    }
    if (!(W > 0)) return r;
    for (int d = 0; d < 3; d++) {
        const int at = d * FIRN_SPH_SUM_AXIS, e = d < 2 ? d + 1 : 0, f = e < 2 ? e + 1 : 0;
        second[d] = gave[at + FIRN_SPH_SUM_SECOND] - W * r.c[d] * r.c[d];
        mixed[d] = gave[at + FIRN_SPH_SUM_MIXED] - W * r.c[d] * r.c[e];
        l[d] -= r.c[e] * p[f] - r.c[f] * p[e];
    }
    // rounding far from the origin must not make a sum of squares negative
    for (int d = 0; d < 3; d++) second[d] = second[d] > 0 ? second[d] : 0;
    const double own = W * r.h2;
    const double J[6] = {
        second[1] + second[2] + own, -mixed[0], second[2] + second[0] + own, -mixed[2], -mixed[1],
        second[0] + second[1] + own};
    firn_sph_residual_spin(J, l, r.s);
    return r;
}

// The part of a particle at x [m] of weight w [kg].
FIRN_FN void firn_sph_residual_at(const firn_sph_residual* r, double w, firn_vec3 x,
                                  double out_impulse[3], double out_couple[3])
{
    const double arm[3] = {(double)x.x - r->c[0], (double)x.y - r->c[1], (double)x.z - r->c[2]};
    for (int d = 0; d < 3; d++) {
        const int e = d < 2 ? d + 1 : 0, f = e < 2 ? e + 1 : 0;
        out_impulse[d] = w * (r->f[d] + (r->s[e] * arm[f] - r->s[f] * arm[e]));
        out_couple[d] = w * r->h2 * r->s[d];
    }
}
