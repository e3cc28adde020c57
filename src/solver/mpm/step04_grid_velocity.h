// SPDX-License-Identifier: MIT
// Step 4: v_i^* = v_i^n + dt (f_i / m_i + g). Stomakhin 2013, eq. 10, which leaves out gravity.
#pragma once
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_grid_velocity_args {
    firn_local node_count;
    const firn_vec4* node_velocity;  // v_i^n, m_i
    const firn_vec4* node_force;     // f_i
    firn_vec3 gravity;               // g
    firn_real dt;
    firn_vec4* node_new;  // out: v_i^*
    int threads;
} firn_mpm_grid_velocity_args;

static inline firn_vec4 firn_mpm_grid_velocity_node(const firn_mpm_grid_velocity_args* a,
                                                    firn_local i)
{
    const firn_vec4 v = a->node_velocity[i], f = a->node_force[i];
    if (!(v[3] > 0)) return (firn_vec4){0, 0, 0, 0};
    const firn_real scale = a->dt / v[3];
    return (firn_vec4){firn_fma(scale, f[0], v[0] + a->dt * a->gravity.x),
                       firn_fma(scale, f[1], v[1] + a->dt * a->gravity.y),
                       firn_fma(scale, f[2], v[2] + a->dt * a->gravity.z), 0};
}
