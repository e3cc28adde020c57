// SPDX-License-Identifier: MIT
// Contact of snow with a collider whose surface lies between nodes (mpm.contact: surface). For C
// and CUDA. theory/mpm.md, "Contact at the surface".
//
// Snow that touches a collider ends at phi = 0, but its kernels reach two cells further: nodes
// behind the surface belong to the velocity field of the snow. What must move with the collider is
// the field at phi = 0, not a node. A column is a node m outside the collider with the nodes behind
// it along an axis:
//
//       m       o  r = 1           u_i = r_i u,  r_i = phi_i / phi_m
//       ------- surface            u_i: velocity relative to the collider
//       |       o  r < 0
//       |       o  r < 0
//
// A field of uniform strain meets these conditions exactly. The impulses that establish them are
// the smallest in the norm of the kinetic energy; Coulomb's law bounds their sum.
#pragma once
#include "math/vec3.h"

// Nodes whose distance to the collider is less, in cells, are behind it; the next one is m.
#define FIRN_CONTACT_BEHIND 0.5
// Nodes deeper than this, in cells, are inside the collider: kernels of snow outside end there.
#define FIRN_CONTACT_INSIDE (-2)

typedef struct firn_contact_column {
    firn_real mass;         // sum of m_i  [kg]
    firn_real lever;        // sum of m_i r_i
    firn_real inertia;      // sum of m_i r_i^2
    firn_vec3 momentum;     // sum of m_i u_i  [kg m/s]
    firn_vec3 momentum_at;  // sum of m_i r_i u_i
} firn_contact_column;

FIRN_FN firn_contact_column firn_contact_column_none(void)
{
    firn_contact_column c;
    c.mass = c.lever = c.inertia = 0;
    c.momentum = c.momentum_at = firn_v3(0, 0, 0);
    return c;
}

// u: velocity of a node relative to the collider there.
FIRN_FN void firn_contact_column_add(firn_contact_column* c, firn_real m, firn_real r, firn_vec3 u)
{
    c->mass += m;
    c->lever += m * r;
    c->inertia += m * (r * r);
    c->momentum = firn_v3_madd(c->momentum, m, u);
    c->momentum_at = firn_v3_madd(c->momentum_at, m * r, u);
}

// What contact does to a column.
typedef struct firn_contact_held {
    firn_vec3 u;       // velocity of m relative to the collider, where it sticks
    firn_real across;  // 1: the collider holds the column across its surface; 0: it separates
    firn_real
        along;  // share of the change of velocity along the surface that friction suffices for
    firn_real unused;  // friction impulse per mass that is left [m/s]
} firn_contact_held;

// Of a column with inertia > 0. n: outward unit normal, mu: friction. It separates where the
// impulse across would be a pull.
FIRN_FN firn_contact_held firn_contact_column_hold(const firn_contact_column* c, firn_vec3 n,
                                                   firn_real mu)
{
    firn_contact_held held;
    held.u = firn_v3_scale(c->momentum_at, 1 / c->inertia);
    held.across = held.along = held.unused = 0;
    // impulse on the snow that makes all nodes stick
    const firn_vec3 J = firn_v3_sub(firn_v3_scale(held.u, c->lever), c->momentum);
    const firn_real across = firn_v3_dot(J, n);
    if (!(across > 0)) return held;
    held.across = 1;
    const firn_real along = firn_v3_length(firn_v3_madd(J, -across, n));
    held.along = along > mu * across ? mu * across / along : mu > 0 ? (firn_real)1 : (firn_real)0;
    held.unused = firn_max(mu * across - along, 0) / c->mass;
    return held;
}

// Velocity u of a node after contact, relative to the collider there.
FIRN_FN firn_vec3 firn_contact_column_velocity(const firn_contact_held* held, firn_vec3 n,
                                               firn_real r, firn_vec3 u)
{
    const firn_vec3 change = firn_v3_sub(firn_v3_scale(held->u, r), u);
    const firn_real across = firn_v3_dot(change, n);
    const firn_vec3 along = firn_v3_madd(change, -across, n);
    return firn_v3_madd(firn_v3_madd(u, held->across * across, n), held->along, along);
}
