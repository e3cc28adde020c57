// SPDX-License-Identifier: MIT
// Steps 5 and 6 with dynamic colliders, for C and CUDA: which collider a node belongs to, and what
// the sums over all nodes of a collider (contact_node.h) do to its velocity V.
#pragma once
#include "geometry/collider/collider_sample.h"
#include "solver/mpm/rigid/contact_node.h"
#include "solver/mpm/rigid/contact_normal.h"

// Newton's method for V (contact_settle.c).
#define FIRN_MPM_SETTLE_ROUNDS 16   // 3 to 5 suffice unless contacts open and close
#define FIRN_MPM_SETTLE_CAUTIOUS 8  // rounds after which steps are halved, in case they alternate
#define FIRN_MPM_SETTLED 1e-9       // change of V relative to V, in the norm of the lump

// The dynamic collider in which node x is deepest; -1: none.
FIRN_FN firn_local firn_mpm_find_lump(const firn_lump* lumps, firn_local count,
                                      const firn_collider* colliders,
                                      const firn_shape_tables* shapes, firn_vec3 x)
{
    firn_local deepest = -1;
    firn_real least = 0;
    for (firn_local k = 0; k < count; k++) {
        const firn_collider* c = &colliders[lumps[k].collider];
        if (firn_collider_misses(c, x)) continue;
        const firn_real phi = firn_collider_distance_shared(c, shapes, x);
        if (phi > 0 || (deepest >= 0 && !(phi < least))) continue;
        deepest = k;
        least = phi;
    }
    return deepest;
}

// Contact of lump k with a node at x that moves with `before` and has snow at `side`.
FIRN_FN firn_mpm_contact firn_mpm_contact_of(const firn_lump* lumps, firn_local k,
                                             const firn_collider* colliders,
                                             const firn_shape_tables* shapes, firn_local node,
                                             firn_vec3 x, firn_vec3 before, firn_real mass,
                                             firn_vec3 side, firn_real h)
{
    firn_mpm_contact c;
    c.node = node;
    c.lump = k;
    c.arm = firn_lump_arm(&lumps[k], x);
    c.normal = firn_mpm_contact_normal(&colliders[lumps[k].collider], shapes, x, side, h);
    c.before = before;
    c.mass = mass;
    c.held = false;
    return c;
}

// x . A x
FIRN_FN double firn_mpm_lump_square(const double A[FIRN_LUMP_TERMS], const double x[6])
{
    double Ax[6], sum = 0;
    firn_lump_apply(A, x, Ax);
    for (int k = 0; k < 6; k++) sum += x[k] * Ax[k];
    return sum;
}

// One round of Newton's method. True: V has settled.
FIRN_FN bool firn_mpm_lump_improve(firn_lump* lump, const firn_lump_pin* pins,
                                   const double terms[FIRN_MPM_LUMP_TERMS], int round)
{
    double A[FIRN_LUMP_TERMS], L[FIRN_LUMP_TERMS], late[6], step[6];
    for (int i = 0; i < FIRN_LUMP_TERMS; i++) A[i] = lump->own[i] + terms[i];
    for (int i = 0; i < 6; i++) late[i] = lump->start[i] - lump->V[i];
    firn_lump_apply(lump->own, late, step);
    for (int i = 0; i < 6; i++) step[i] += terms[FIRN_MPM_LUMP_SIDE + i];
    firn_lump_pin_down(lump, pins, A, step);
    if (!firn_lump_factor(A, L)) return true;
    firn_lump_forward(L, step);
    firn_lump_backward(L, step);
    for (int i = 0; i < 6; i++)
        lump->V[i] += (round < FIRN_MPM_SETTLE_CAUTIOUS ? 1 : 0.5) * step[i];
    return firn_mpm_lump_square(A, step) <=
           FIRN_MPM_SETTLED * FIRN_MPM_SETTLED * firn_mpm_lump_square(A, lump->V);
}

// What the solve and step 9 need, from the sums of firn_mpm_contact_weigh.
FIRN_FN void firn_mpm_lump_close(firn_lump* lump, const firn_lump_pin* pins,
                                 const double terms[FIRN_MPM_LUMP_TERMS])
{
    double A[FIRN_LUMP_TERMS];
    for (int i = 0; i < FIRN_LUMP_TERMS; i++) A[i] = lump->own[i] + terms[i];
    firn_lump_pin_down(lump, pins, A, NULL);
    (void)firn_lump_factor(A, lump->L);
    firn_lump_set_give(lump, pins);
    lump->carried = terms[FIRN_MPM_LUMP_MASS];
}

// The preconditioner of its entries: 1 / (1 + diagonal of L^-1 J^T h J L^-T), from the sums of
// firn_mpm_contact_stiffen.
FIRN_FN void firn_mpm_lump_scale(const firn_lump* lump, const double terms[FIRN_MPM_LUMP_TERMS],
                                 double out_scale[6])
{
    for (int c = 0; c < 6; c++) {
        double e[6] = {0, 0, 0, 0, 0, 0}, he[6], stiff = 0;
        e[c] = 1;
        firn_lump_backward(lump->L, e);
        firn_lump_apply(terms, e, he);
        for (int d = 0; d < 6; d++) stiff += e[d] * he[d];
        out_scale[c] = 1 / (1 + stiff);
    }
}

// After the solve: V of the entries y = L^T V.
FIRN_FN void firn_mpm_lump_follow(firn_lump* lump, const double y[6])
{
    double V[6];
    for (int d = 0; d < 6; d++) V[d] = y[d];
    firn_lump_backward(lump->L, V);
    for (int d = 0; d < 6; d++) {
        lump->change[d] = V[d] - lump->V[d];
        lump->V[d] = V[d];
    }
}
