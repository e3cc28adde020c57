// SPDX-License-Identifier: MIT
// Step 8: v_p = (1 - alpha) v_PIC + alpha v_FLIP, v_PIC = sum_i v_i^{n+1} w_ip,
// v_FLIP = v_p^n + sum_i (v_i^{n+1} - v_i^n) w_ip. Stomakhin 2013, section 4.1 step 8.
// With APIC: v_p = v_PIC and B_p = sum_i w_ip v_i^{n+1} (x_i - x_p)^T (Jiang et al. 2015).
// Unused friction at the nodes (step 5) becomes the particle's grip, which step 9 spends.
#pragma once
#include "core/simd/lanes.h"
#include "math/vec3.h"
#include "solver/mpm/collide/collide_at.h"
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_particle_velocity_args {
    const firn_sparse_grid* grid;
    firn_spline spline;
    const firn_vec3* position;       // x_p^n
    const firn_vec4* node_velocity;  // v_i^n
    const firn_vec4* node_new;       // v_i^{n+1}; fourth: unused friction
    firn_real alpha;                 // share of FLIP
    firn_vec3* velocity;             // in and out: v_p
    firn_mat3* affine;               // out: B_p; null with FLIP
    firn_mpm_hold hold;              // grip: in and out
    firn_real dt;
} firn_mpm_particle_velocity_args;

// The blend as the paper writes it. v: v_p^n, v_pic and v_old: sum_i w_ip v_i^{n+1} and of v_i^n.
FIRN_FN firn_vec3 firn_mpm_blend(firn_vec3 v, firn_vec3 v_pic, firn_vec3 v_old, firn_real alpha)
{
    const firn_vec3 v_flip = firn_v3_add(v, firn_v3_sub(v_pic, v_old));
    return firn_v3_madd(firn_v3_scale(v_pic, 1 - alpha), alpha, v_flip);
}

// The blend of the fused passes: firn_mpm_blend with the terms collected, so that one gather serves
// both velocities. v_p = sum_i w_ip u_i + alpha v_p^n with u_i = v_i^{n+1} - alpha v_i^n. Held
// together by test_mpm_fused.
FIRN_FN firn_real firn_mpm_blend_node(firn_real v_new, firn_real v_old, firn_real alpha)
{
    return firn_real_fma(-alpha, v_old, v_new);  // a component of u_i
}

FIRN_FN firn_vec3 firn_mpm_blend_gathered(firn_vec3 sum_w_u, firn_vec3 v, firn_real alpha)
{
    return firn_v3_madd(sum_w_u, alpha, v);
}

// Grip of particle p after sum_i w_ip of the nodes' unused friction.
FIRN_FN void firn_mpm_take_grip(const firn_mpm_hold* hold, firn_local p, firn_real unused,
                                firn_real dt)
{
    hold->grip[p] = firn_contact_grip(hold->grip[p], unused, dt, hold->time);
}
