// SPDX-License-Identifier: MIT
// Steps 5 and 9 against dynamic colliders, for C and CUDA: what one node or particle does.
//
// A kinematic collider sets the velocity of snow that it touches. A dynamic one gives way, and its
// new velocity depends on all nodes that touch it: each of them says what it would take from a
// collider that moves at V, and how that changes with V (firn_lump). theory/forces.md, "Colliders
// with mass".
#pragma once
#include "physics/contact.h"
#include "solver/shared/impulse.h"
#include "solver/shared/lump.h"

// Sums over the contacts of a lump: terms of a 6x6 matrix, J^T of impulses, mass.
#define FIRN_MPM_LUMP_SIDE FIRN_LUMP_TERMS
#define FIRN_MPM_LUMP_MASS (FIRN_LUMP_TERMS + 6)
#define FIRN_MPM_LUMP_TERMS (FIRN_LUMP_TERMS + 7)
// Four impulses of seven sums have room for the sums over the contacts of a lump.
#define FIRN_MPM_LUMP_SUMS (FIRN_MPM_LUMP_TERMS / FIRN_IMPULSE_SUMS)

// What a term is multiplied by to be one of these sums (impulse.h).
FIRN_FN double firn_mpm_lump_unit(int term)
{
    return term % FIRN_IMPULSE_SUMS < 3 ? 0x1p30 : 0x1p24;
}

// A node inside a dynamic collider.
typedef struct firn_mpm_contact {
    firn_local node, lump;
    firn_vec3 arm;     // from the centre of mass [m]
    firn_vec3 normal;  // of the collider's surface
    firn_vec3 before;  // its velocity before contact [m/s]
    firn_real mass;    // m_i [kg]
    bool held;         // it touches the collider
} firn_mpm_contact;

// Velocity of a node after contact, and the mass with which it resists a change of V: along the
// normal and across it.
typedef struct firn_mpm_carried {
    firn_vec3 velocity;
    bool held;
    double along, across;
    firn_real unused;  // friction [m/s] (physics/contact.h)
} firn_mpm_carried;

// The node against a collider that moves at V.
FIRN_FN firn_mpm_carried firn_mpm_carry(const firn_mpm_contact* c, firn_real mu, bool sticky,
                                        const double V[6])
{
    const firn_vec3 v_co = firn_lump_velocity_at(V, c->arm);
    const firn_vec3 v_rel = firn_v3_sub(c->before, v_co);
    const firn_real v_n = firn_v3_dot(v_rel, c->normal);
    firn_mpm_carried r;
    r.held = sticky || v_n < 0;
    r.velocity = r.held ? firn_contact_velocity(c->before, v_co, c->normal, mu, sticky) : c->before;
    r.unused = r.held && !sticky ? firn_contact_unused(c->before, v_co, c->normal, mu) : 0;
    r.along = r.across = r.held ? (double)c->mass : 0;
    if (sticky || !r.held) return r;
    const firn_real slip = firn_v3_length(firn_v3_madd(v_rel, -v_n, c->normal));
    // sliding: friction is -mu v_n along the slip, a drag that lags behind
    if (slip > -mu * v_n) r.across *= (double)(-mu * v_n / slip);
    return r;
}

// What the contact contributes to the sums of its lump, with the velocity r after it.
FIRN_FN void firn_mpm_contact_push(const firn_mpm_contact* c, const firn_mpm_carried* r,
                                   double terms[FIRN_MPM_LUMP_TERMS])
{
    const double m = (double)c->mass;
    const double arm[3] = {(double)c->arm.x, (double)c->arm.y, (double)c->arm.z};
    const double n[3] = {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z};
    const double j[3] = {m * ((double)c->before.x - (double)r->velocity.x),
                         m * ((double)c->before.y - (double)r->velocity.y),
                         m * ((double)c->before.z - (double)r->velocity.z)};
    firn_lump_carry(arm, n, r->along, r->across, terms);
    firn_lump_push(arm, j, terms + FIRN_MPM_LUMP_SIDE);
}

// The same of snow that moves with the collider as if it were part of it.
FIRN_FN void firn_mpm_contact_weigh(const firn_mpm_contact* c, double terms[FIRN_MPM_LUMP_TERMS])
{
    const double arm[3] = {(double)c->arm.x, (double)c->arm.y, (double)c->arm.z};
    const double n[3] = {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z};
    firn_lump_carry(arm, n, (double)c->mass, (double)c->mass, terms);
    terms[FIRN_MPM_LUMP_MASS] += (double)c->mass;
}

// J^T h J of the diagonal h of H at its node, which is about the same along all axes, times `by`.
FIRN_FN void firn_mpm_contact_stiffen(const firn_mpm_contact* c, firn_vec3 h, firn_real by,
                                      double terms[FIRN_MPM_LUMP_TERMS])
{
    const double mean = ((double)h.x + (double)h.y + (double)h.z) / 3;
    const double arm[3] = {(double)c->arm.x, (double)c->arm.y, (double)c->arm.z};
    const double n[3] = {1, 0, 0};
    firn_lump_carry(arm, n, mean * (double)by, mean * (double)by, terms);
}

// J^T (H u) of its node, times `by`.
FIRN_FN void firn_mpm_contact_pull(const firn_mpm_contact* c, firn_vec3 Hu, firn_real by,
                                   double terms[FIRN_MPM_LUMP_TERMS])
{
    const double s = (double)by;
    const double arm[3] = {(double)c->arm.x, (double)c->arm.y, (double)c->arm.z};
    const double f[3] = {s * (double)Hu.x, s * (double)Hu.y, s * (double)Hu.z};
    firn_lump_push(arm, f, terms + FIRN_MPM_LUMP_SIDE);
}

// What the collider takes in the solve from a node that it holds, whose velocity goes from v_0 to v
// [N s].
FIRN_FN void firn_mpm_contact_reaction(const firn_mpm_contact* c, firn_vec3 Hv, firn_real by,
                                       firn_vec3 v, firn_vec3 v_0, double out_j[3])
{
    const double m = (double)c->mass, s = (double)by;
    out_j[0] = -s * (double)Hv.x - m * ((double)v.x - (double)v_0.x);
    out_j[1] = -s * (double)Hv.y - m * ((double)v.y - (double)v_0.y);
    out_j[2] = -s * (double)Hv.z - m * ((double)v.z - (double)v_0.z);
}
