// SPDX-License-Identifier: MIT
// What colliders give to a particle near them, and how several colliders share it, for C and CUDA;
// support/sph_loads.c explains it.
#pragma once
#include "physics/sph_kernel.h"
#include "solver/sph/laws/contact.h"

// What step 6 of a particle was computed with.
typedef struct firn_sph_reaction {
    firn_mat3 sigma;  // the stress of the new velocities
    firn_mat3 L, M;
    firn_vec3 LB, velocity;
    firn_real volume, density, dt;
    bool rubs;  // friction is part of step 6
} firn_sph_reaction;

// Change of velocity by colliders in step 6, and the couple that they balance: `given` and `couple`
// of t.
FIRN_FN void firn_sph_react(const firn_sph_reaction* r, firn_sph_contact_sums* t)
{
    const firn_mat3 N = firn_m3_mul(r->sigma, firn_m3_mul(r->L, r->M));
    const firn_vec3 torque = firn_v3_scale(
        firn_v3(N.m[1][2] - N.m[2][1], N.m[2][0] - N.m[0][2], N.m[0][1] - N.m[1][0]), r->volume);
    // dt^0 V tr(sigma)/3 L B / m = tr(sigma)/3 L B / rho
    firn_vec3 a = firn_v3_scale(r->LB, firn_m3_trace(r->sigma) / (3 * r->density));
    t->couple = firn_v3_scale(torque, r->dt);
    if (r->rubs && t->drag > 0) {
        const firn_vec3 rate = firn_v3_madd(t->drag_velocity, -t->drag, r->velocity);
        a = firn_v3_add(a, firn_sph_tangential(t, rate));
    }
    t->given = firn_v3_scale(a, r->dt);
}

// Of what a particle gets of the residual to what colliders take from the snow there: the opposite,
// and of all that they have given. `before`: change of velocity by them in steps 3 to 5.
FIRN_FN void firn_sph_take_back(const firn_sph_contact_sums* t, firn_vec3 before, double mass,
                                double impulse[3], double couple[3])
{
    const double v[3] = {(double)before.x + (double)t->given.x,
                         (double)before.y + (double)t->given.y,
                         (double)before.z + (double)t->given.z};
    const double l[3] = {(double)t->couple.x, (double)t->couple.y, (double)t->couple.z};
    for (int d = 0; d < 3; d++) {
        impulse[d] = -mass * v[d] - impulse[d];
        couple[d] = -l[d] - couple[d];
    }
}

#define FIRN_SPH_SHARES \
    8  // colliders that share a particle; those beyond count as the last of them

typedef struct firn_sph_share {
    firn_local body;
    firn_vec3 gradient;  // sum V_b grad W_ib over its boundary particles
    firn_real weight;    // sum V_b |grad W_ib|
} firn_sph_share;

// Adds boundary particle b to the shares of its collider; returns the number of shares.
FIRN_FN int firn_sph_share_add(firn_sph_share all[FIRN_SPH_SHARES], int count, firn_vec3 x_i,
                               firn_vec3 x_b, firn_real volume, firn_local body, firn_real h)
{
    const firn_vec3 x = firn_v3_sub(x_i, x_b);
    const firn_real r2 = firn_v3_dot(x, x);
    if (!(r2 < 4 * h * h)) return count;
    int k = 0;
    while (k < count && all[k].body != body && k < FIRN_SPH_SHARES - 1) k++;
    if (k == count) all[count++] = FIRN_LIT(firn_sph_share){body, {0, 0, 0}, 0};
    const firn_real r = firn_sqrt(r2);
    const firn_real slope = volume * firn_sph_dw_over_r(r, h);
    all[k].gradient = firn_v3_madd(all[k].gradient, slope, x);
    all[k].weight -= slope * r;
    return count;
}

// What all shares are relative to. The part of an impulse along the gradient sum V_b grad W_ib,
// which pressure and stress have, goes to each collider by its part of that sum, the rest by
// weight.
typedef struct firn_sph_split {
    double B[3], weight, along;
    int count;
} firn_sph_split;

FIRN_FN firn_sph_split firn_sph_split_begin(const firn_sph_share* all, int count, const double j[3])
{
    firn_vec3 gradient = firn_v3(0, 0, 0);
    firn_sph_split s;
    s.weight = 0;
    s.count = count;
    for (int k = 0; k < count; k++) {
        gradient = firn_v3_add(gradient, all[k].gradient);
        s.weight += (double)all[k].weight;
    }
    s.B[0] = (double)gradient.x;
    s.B[1] = (double)gradient.y;
    s.B[2] = (double)gradient.z;
    const double size2 = s.B[0] * s.B[0] + s.B[1] * s.B[1] + s.B[2] * s.B[2];
    s.along = size2 > 0 ? (j[0] * s.B[0] + j[1] * s.B[1] + j[2] * s.B[2]) / size2 : 0;
    return s;
}

// The impulse of one share; returns its part of the couple.
FIRN_FN double firn_sph_split_take(const firn_sph_split* s, const firn_sph_share* share,
                                   const double j[3], double out[3])
{
    const firn_vec3 g = share->gradient;
    const double own[3] = {(double)g.x, (double)g.y, (double)g.z};
    const double part = s->weight > 0 ? (double)share->weight / s->weight : 1.0 / s->count;
    for (int d = 0; d < 3; d++) out[d] = s->along * own[d] + part * (j[d] - s->along * s->B[d]);
    return part;
}
