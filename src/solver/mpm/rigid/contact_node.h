// SPDX-License-Identifier: MIT
// Steps 5 and 9 against dynamic colliders, for C and CUDA: what one node or particle does.
//
// A kinematic collider sets the velocity of snow that it touches. A dynamic one gives way, and its
// new velocity depends on all nodes that touch it: each of them says what it would take from a
// collider that moves at V, and how that changes with V (firn_lump). theory/forces.md, "Colliders
// with mass".
#pragma once
#include "physics/contact.h"
#include "solver/shared/lump.h"

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
