// SPDX-License-Identifier: MIT
// What a particle near a dynamic collider and the collider give each other in the shear solve, for
// C and CUDA; rigid/sph_lumps_shear.h explains it.
#pragma once
#include "solver/sph/laws/hold.h"
#include "solver/sph/laws/stress.h"

#define FIRN_SPH_YIELD_TERMS 36  // of a 6x6 matrix, by rows

// A particle as the solve has it.
typedef struct firn_sph_held_snow {
    firn_vec3 LB;         // L_i B_i [1/m]
    firn_real mass;       // [kg]
    firn_real volume;     // V_i [m^3]
    firn_real stiffness;  // change of tr(sigma) by a change of sum_b V_b a_b . grad W_ib [Pa s^2]
    bool rubs;            // friction is part of the solve
} firn_sph_held_snow;

// Colliders that move with the acceleration a strain the particle by c w/3 F_E, w = sum_b V_b a_b .
// grad W_ib: of its stress G (H + H^T) + lambda tr(H), the trace over w. c = dt^2.
FIRN_FN firn_real firn_sph_wall_stiffness(firn_real G, firn_real lambda, firn_real trace_F,
                                          firn_real c)
{
    return c * trace_F * (2 * G + 3 * lambda) / 3;
}

// The collider's part of what colliders take from the particle: as firn_sph_split_take.
FIRN_FN void firn_sph_hold_split(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                                 const double j[3], double out[3])
{
    double arm[3], own[3];
    firn_sph_hold_load(hold, arm, own);
    const double B[3] = {(double)t->gradient.x, (double)t->gradient.y, (double)t->gradient.z};
    const double size2 = B[0] * B[0] + B[1] * B[1] + B[2] * B[2];
    const double along = size2 > 0 ? (j[0] * B[0] + j[1] * B[1] + j[2] * B[2]) / size2 : 0;
    for (int d = 0; d < 3; d++)
        out[d] = along * own[d] + (double)hold->part * (j[d] - along * B[d]);
}

// The velocity that friction counts, times the drag: of an acceleration u, or known.
FIRN_FN firn_vec3 firn_sph_slide(const firn_sph_contact_sums* t, firn_vec3 u, firn_real dt,
                                 bool known)
{
    if (!known) return firn_v3_scale(u, dt * t->drag);
    return firn_v3_sub(firn_v3_scale(u, t->drag), t->drag_velocity);
}

// Adds the force of the particle on the collider, of a stress with this trace [Pa], and of the
// friction of `slide`: the velocity of the particle [m/s] times the drag, less drag_velocity.
FIRN_FN void firn_sph_hold_pull(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                                const firn_sph_held_snow* snow, firn_real trace, firn_vec3 slide,
                                double side[6])
{
    const double off = -(double)snow->volume * (double)trace / 3;
    const firn_vec3 rub = snow->rubs ? firn_sph_tangential(t, slide) : firn_v3(0, 0, 0);
    const double m = (double)snow->mass;
    const double j[3] = {off * (double)snow->LB.x + m * (double)rub.x,
                         off * (double)snow->LB.y + m * (double)rub.y,
                         off * (double)snow->LB.z + m * (double)rub.z};
    const double arm[3] = {(double)hold->arm.x, (double)hold->arm.y, (double)hold->arm.z};
    double own[3];
    firn_sph_hold_split(hold, t, j, own);
    firn_lump_push(arm, own, side);
}

// Adds how these forces answer to the collider's acceleration, with the opposite sign: of friction
// to the symmetric matrix A, of the stress to `yield`.
FIRN_FN void firn_sph_hold_answer(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                                  const firn_sph_held_snow* snow, double dt,
                                  double A[FIRN_LUMP_TERMS], double yield[FIRN_SPH_YIELD_TERMS])
{
    const firn_real drag = snow->rubs ? t->drag : 0, part = hold->part;
    const double grip = dt * (double)drag * (double)part * (double)part * (double)snow->mass;
    const firn_vec3 n = firn_v3_normalize(t->gradient, firn_v3(0, 0, 0));
    const bool flat = firn_v3_dot(n, n) > 0;
    const double axis[3] = {(double)n.x, (double)n.y, (double)n.z};
    double arm[3], G[3], own[3], push[6] = {0, 0, 0, 0, 0, 0}, squeeze[6] = {0, 0, 0, 0, 0, 0};
    firn_sph_hold_load(hold, arm, G);
    if (grip > 0) firn_lump_carry(arm, axis, flat ? 0 : grip, grip, A);
    const double stiff = (double)snow->volume * (double)snow->stiffness / 3;
    const double j[3] = {stiff * (double)snow->LB.x, stiff * (double)snow->LB.y,
                         stiff * (double)snow->LB.z};
    firn_sph_hold_split(hold, t, j, own);
    if (!(own[0] * G[0] + own[1] * G[1] + own[2] * G[2] > 0)) return;  // it would pull
    firn_lump_push(arm, own, push);
    firn_lump_push(arm, G, squeeze);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) yield[6 * r + c] += push[r] * squeeze[c];
}

// The stress by the motion of colliders: sigma L, and tr(sigma)/3.
typedef struct firn_sph_wall_stress {
    firn_mat3 T;
    firn_real third;
} firn_sph_wall_stress;

FIRN_FN firn_sph_wall_stress firn_sph_wall_stress_of(firn_mat3 F, firn_mat3 L, firn_real G,
                                                     firn_real lambda, firn_real c, firn_real w)
{
    firn_sph_wall_stress s;
    const firn_mat3 sigma = firn_sph_stress(firn_m3_scale(F, w / 3), F, G, lambda, c, false);
    s.T = firn_m3_mul(sigma, L);
    s.third = firn_m3_trace(sigma) / 3;
    return s;
}

// Adds what it does to the particle's own row, times `factor`.
FIRN_FN firn_vec3 firn_sph_wall_stress_force(const firn_sph_wall_stress* s, firn_vec3 S,
                                             firn_vec3 LB, firn_vec3 row, firn_real factor)
{
    return firn_v3_madd(row, factor, firn_v3_madd(firn_m3_mul_v3(s->T, S), s->third, LB));
}

// Replaces a 6x6 matrix by its inverse, with partial pivoting. False: it has none.
FIRN_FN bool firn_sph_yield_invert(double a[FIRN_SPH_YIELD_TERMS])
{
    double b[FIRN_SPH_YIELD_TERMS];
    for (int k = 0; k < FIRN_SPH_YIELD_TERMS; k++) b[k] = k % 7 == 0 ? 1 : 0;
    for (int c = 0; c < 6; c++) {
        int best = c;
        for (int r = c + 1; r < 6; r++)
            if (fabs(a[6 * r + c]) > fabs(a[6 * best + c])) best = r;
        if (!(fabs(a[6 * best + c]) > 0)) return false;
        for (int k = 0; k < 6; k++) {
            const double x = a[6 * best + k], y = b[6 * best + k];
            a[6 * best + k] = a[6 * c + k], b[6 * best + k] = b[6 * c + k];
            a[6 * c + k] = x, b[6 * c + k] = y;
        }
        const double pivot = a[6 * c + c];
        for (int k = 0; k < 6; k++) a[6 * c + k] /= pivot, b[6 * c + k] /= pivot;
        for (int r = 0; r < 6; r++) {
            const double factor = r == c ? 0 : a[6 * r + c];
            for (int k = 0; k < 6; k++) {
                a[6 * r + k] -= factor * a[6 * c + k];
                b[6 * r + k] -= factor * b[6 * c + k];
            }
        }
    }
    for (int k = 0; k < FIRN_SPH_YIELD_TERMS; k++) a[k] = b[k];
    return true;
}

// Closes the matrix of a collider's acceleration: what friction and stress answer, `A` and `yield`,
// the collider alone, and what it rests on if it gets the impulse `dt pull`. Leaves the inverse in
// `yield`; 0 if it has none. Changes A.
FIRN_FN void firn_sph_lump_close(const firn_lump* lump, const firn_lump_pin* pins,
                                 const double pull[6], double dt, double A[FIRN_LUMP_TERMS],
                                 double yield[FIRN_SPH_YIELD_TERMS])
{
    double moved[6];
    firn_lump tried = *lump;
    firn_lump_apply(lump->give, pull, moved);
    for (int d = 0; d < 6; d++) tried.V[d] += dt * moved[d];
    for (int t = 0; t < FIRN_LUMP_TERMS; t++) A[t] += lump->own[t];
    firn_lump_pin_down(&tried, pins, A, NULL);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            yield[6 * r + c] += A[r >= c ? firn_lump_at(r, c) : firn_lump_at(c, r)];
    if (firn_sph_yield_invert(yield)) return;
    for (int k = 0; k < FIRN_SPH_YIELD_TERMS; k++) yield[k] = 0;
}

// The acceleration of the collider that the forces `pull` give it.
FIRN_FN void firn_sph_lump_yield(const double yield[FIRN_SPH_YIELD_TERMS], const double pull[6],
                                 double out[6])
{
    for (int r = 0; r < 6; r++) {
        out[r] = 0;
        for (int c = 0; c < 6; c++) out[r] += yield[6 * r + c] * pull[c];
    }
}
