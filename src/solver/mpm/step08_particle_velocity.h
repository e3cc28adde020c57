// SPDX-License-Identifier: MIT
// Step 8: v_p = (1 - alpha) v_PIC + alpha v_FLIP, v_PIC = sum_i v_i^{n+1} w_ip,
// v_FLIP = v_p^n + sum_i (v_i^{n+1} - v_i^n) w_ip. Stomakhin 2013, section 4.1 step 8.
// With APIC: v_p = v_PIC and B_p = sum_i w_ip v_i^{n+1} (x_i - x_p)^T (Jiang et al. 2015).
#pragma once
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_particle_velocity_args {
    const firn_sparse_grid* grid;
    firn_spline spline;
    const firn_vec3* position;       // x_p^n
    const firn_vec4* node_velocity;  // v_i^n
    const firn_vec4* node_new;       // v_i^{n+1}
    firn_real alpha;                 // share of FLIP
    firn_vec3* velocity;             // in and out: v_p
    firn_mat3* affine;               // out: B_p; null with FLIP
    int threads;
} firn_mpm_particle_velocity_args;

static inline firn_vec3 firn_mpm_blend_particle(const firn_mpm_particle_velocity_args* a,
                                                firn_local p, firn_vec3 v_pic, firn_vec3 v_old_at_p)
{
    const firn_vec3 v_flip = firn_v3_add(a->velocity[p], firn_v3_sub(v_pic, v_old_at_p));
    return firn_v3_madd(firn_v3_scale(v_pic, 1 - a->alpha), a->alpha, v_flip);
}
