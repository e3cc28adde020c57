// SPDX-License-Identifier: MIT
// Step 4: v_i^* = v_i^n + dt (f_i / m_i + g). Stomakhin 2013, eq. 10, which leaves out gravity.
#pragma once
#include "core/simd/lanes.h"
#include "math/vec3.h"
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_grid_velocity_args {
    firn_local node_count;
    const firn_vec4* node_velocity;  // v_i^n, m_i
    const firn_vec4* node_force;     // f_i
    firn_vec3 gravity;               // g
    firn_real dt;
    firn_vec4* node_new;  // out: v_i^*
} firn_mpm_grid_velocity_args;

// v_i^* of a node with velocity v_i^n, mass m_i and force f_i; 0 where there is no mass.
FIRN_FN firn_vec3 firn_mpm_grid_velocity(firn_vec3 v, firn_real m, firn_vec3 f, firn_vec3 g,
                                         firn_real dt)
{
    if (!(m > 0)) return firn_v3(0, 0, 0);
    const firn_real scale = dt / m;
    return firn_v3(firn_real_fma(scale, f.x, v.x + dt * g.x),
                   firn_real_fma(scale, f.y, v.y + dt * g.y),
                   firn_real_fma(scale, f.z, v.z + dt * g.z));
}
