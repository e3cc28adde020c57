// SPDX-License-Identifier: MIT
// Inelastic contact of snow with a collider: Coulomb friction, or sticking. Stomakhin 2013,
// sec. 8. VALIDATION T25, T27. For C and CUDA.
//
// Grip: friction at rest. An elastic body that rings stands on its contacts in turn: those that
// carry it have friction to spare while the others slip, and slip makes it ring. Step by step,
// Coulomb's law then lets it creep below its angle of friction. So snow that sticks keeps the part
// of the friction impulse that it did not need, for a short time, and spends it against slow slip:
// Coulomb's law in the mean over that time. Where snow slides, all friction is used and nothing is
// kept. theory/mpm.md, "Friction at rest".
#pragma once
#include "math/vec3.h"

// v: velocity of the snow, v_co: of the collider there, n: outward unit normal, mu: friction.
// Call it only where phi <= 0.
FIRN_FN firn_vec3 firn_contact_velocity(firn_vec3 v, firn_vec3 v_co, firn_vec3 n, firn_real mu,
                                        bool sticky)
{
    if (sticky) return v_co;
    const firn_vec3 v_rel = firn_v3_sub(v, v_co);
    const firn_real v_n = firn_v3_dot(v_rel, n);
    if (v_n >= 0) return v;  // separating
    const firn_vec3 v_t = firn_v3_madd(v_rel, -v_n, n);
    const firn_real slip = firn_v3_length(v_t);
    if (slip <= -mu * v_n) return v_co;  // sticking impulse
    return firn_v3_add(firn_v3_madd(v_t, mu * v_n / slip, v_t), v_co);
}

// The friction impulse per mass [m/s] that the contact above does not use; 0 where snow slides.
FIRN_FN firn_real firn_contact_unused(firn_vec3 v, firn_vec3 v_co, firn_vec3 n, firn_real mu)
{
    const firn_vec3 v_rel = firn_v3_sub(v, v_co);
    const firn_real v_n = firn_v3_dot(v_rel, n);
    return firn_max(-mu * v_n - firn_v3_length(firn_v3_madd(v_rel, -v_n, n)), 0);
}

// The grip [m/s] after a step of dt with so much unused: it fades within `time` [s].
FIRN_FN firn_real firn_contact_grip(firn_real grip, firn_real unused, firn_real dt, firn_real time)
{
    return firn_max(1 - dt / time, 0) * grip + unused;
}

// Share of its slip that a particle at s cells from a collider may lose in a step: its weight on
// nodes behind the surface relative to that of a particle on it, twice the integral of the cubic
// B-spline beyond s. 1 at the surface, 0 at two cells.
FIRN_FN firn_real firn_contact_share(firn_real s)
{
    const firn_real r = firn_max(firn_min(s, 2), 0), d = 2 - r;
    const firn_real third = (firn_real)(1.0 / 3);
    return r < 1 ? 1 - r * (4 * third - r * r * (2 * third - r / 4)) : d * d * d * d / 12;
}

// Velocity v of snow after its grip has acted on `share` of its slip, where that is not faster than
// `limit` [m/s]. *grip: in and out.
FIRN_FN firn_vec3 firn_contact_hold(firn_vec3 v, firn_vec3 v_co, firn_vec3 n, firn_real share,
                                    firn_real limit, firn_real* grip)
{
    const firn_vec3 v_rel = firn_v3_sub(v, v_co);
    const firn_vec3 v_t = firn_v3_madd(v_rel, -firn_v3_dot(v_rel, n), n);
    const firn_real slip = firn_v3_length(v_t);
    if (!(slip > 0) || slip > limit) return v;
    const firn_real spent = firn_min(share * slip, *grip);
    *grip -= spent;
    return firn_v3_madd(v, -spent / slip, v_t);
}
