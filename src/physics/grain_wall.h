// SPDX-License-Identifier: MIT
// Force of a collider on a grain: Goswami et al. 2019, Algorithm 3, line 2, with Coulomb's
// friction.
#pragma once
#include "physics/grain_contact.h"

#if FIRN_LANES == 1
// A collider where a grain is near it.
typedef struct firn_grain_wall {
    firn_real phi;       // [m] of the collider at x_i
    firn_vec3 n;         // outward unit normal
    firn_vec3 v;         // [m/s] of the collider there
    firn_real friction;  // Coulomb mu [-]
    bool sticky;         // snow is bonded to it and does not slip
} firn_grain_wall;

// What friction of a collider has to hold within a step.
typedef struct firn_grain_wall_load {
    firn_vec3 force;              // [N] along the wall
    firn_vec3 torque;             // [N m]
    firn_real limit, roll_limit;  // [N], [N m]
} firn_grain_wall_load;

FIRN_FN firn_vec3 firn_grain_at_most(firn_vec3 a, firn_real limit)
{
    const firn_real size = firn_v3_length(a);
    return size > limit ? firn_v3_scale(a, limit / size) : a;
}

// Adds friction to f: what stops slip and rolling within the step, as far as the limits allow. The
// force on a grain that `rolls` acts at the point of contact; on one of intact snow at its centre,
// because it cannot roll.
FIRN_FN void firn_grain_wall_stick(const firn_grain_constants* c, const firn_grain* i,
                                   const firn_grain_wall* wall, const firn_grain_wall_load* load,
                                   bool rolls, firn_grain_force* f)
{
    firn_vec3 hold = firn_grain_at_most(firn_v3_scale(load->force, -1), load->limit);
    if (rolls) {
        const firn_real inertia = firn_grain_inertia(c, i->r), l = firn_min(wall->phi, i->r);
        const firn_vec3 arm = firn_v3_scale(wall->n, -l);
        const firn_vec3 turns = firn_v3_add(load->torque, firn_v3_cross(arm, hold));
        const firn_vec3 stop = firn_grain_at_most(firn_v3_scale(turns, -1), load->roll_limit);
        // it cannot be kept from rolling: then without slip, if possible
        if (firn_v3_dot(stop, stop) < (firn_real)0.999 * firn_v3_dot(turns, turns)) {
            const firn_real per = c->mass / inertia;
            const firn_vec3 torque = firn_v3_add(load->torque, stop);
            firn_vec3 slip = firn_v3_madd(load->force, per, firn_v3_cross(torque, arm));
            hold = firn_grain_at_most(firn_v3_scale(slip, -1 / (1 + per * l * l)), load->limit);
        }
        f->torque = firn_v3_add(stop, firn_v3_cross(arm, hold));
    }
    f->force = firn_v3_add(f->force, hold);
}

// The force of a collider on grain i: a mirrored grain behind the surface pushes it (Algorithm 3,
// line 2), which is twice the spring and twice the damper. `other`: all other forces on i [N],
// which friction at rest answers; `other_torque`: [N m]; dt: [s] of the step.
FIRN_FN firn_grain_force firn_grain_wall_force(const firn_grain_constants* c, const firn_grain* i,
                                               const firn_grain_wall* wall, firn_vec3 other,
                                               firn_vec3 other_torque, firn_real dt)
{
    const bool water = i->phase == FIRN_WATER;
    const firn_real half_k = firn_grain_stiffness(c, i->r, i->phase), k = 2 * half_k;
    const firn_real overlap = i->r - wall->phi;
    const bool bonded = wall->sticky && !water && !i->broken;
    firn_grain_force f = firn_grain_force_none();
    f.n = firn_v3(-wall->n.x, -wall->n.y, -wall->n.z);
    f.near = overlap > 0 || (bonded && -k * overlap < 2 * firn_grain_strength(c, i->r));
    if (!f.near) return f;
    const firn_vec3 v = firn_v3_sub(i->v, wall->v);
    const firn_real spring = k * overlap;
    firn_real normal_force = spring - 2 * firn_grain_damper(c, half_k) * firn_v3_dot(v, wall->n);
    if (!bonded) normal_force = firn_max(normal_force, 0);
    f.force = firn_v3_scale(wall->n, normal_force);
    f.spring = spring;
    if (water && !bonded) return f;
    firn_grain_wall_load load;
    load.force = firn_v3_madd(other, c->mass / dt, v);
    load.force = firn_v3_madd(load.force, -firn_v3_dot(load.force, wall->n), wall->n);
    load.torque = firn_v3_madd(other_torque, firn_grain_inertia(c, i->r) / dt, i->spin);
    load.limit = bonded ? FIRN_REAL_MAX : wall->friction * firn_max(normal_force, 0);
    load.roll_limit = bonded ? FIRN_REAL_MAX : c->rolling * i->r * firn_max(normal_force, 0);
    const bool rolls = i->state == FIRN_GRAIN_LOOSE && c->lever > 0;
    firn_grain_wall_stick(c, i, wall, &load, rolls, &f);
    return f;
}
#endif
