// SPDX-License-Identifier: MIT
// Inelastic contact of snow with a collider: Coulomb friction, or sticking. Stomakhin 2013,
// sec. 8. VALIDATION T25, T27. For C and CUDA.
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
