// SPDX-License-Identifier: MIT
// Step 1: m_i = sum_p m_p w_ip, v_i = sum_p v_p m_p w_ip / m_i. Stomakhin 2013, section 4.1.
// With APIC the particle's velocity is v_p + B_p D^-1 (x_i - x_p), D = (h^2/3) I for cubic splines
// (Jiang et al. 2015), (h^2/4) I for quadratic ones.
#pragma once
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_rasterize_args {
    const firn_sparse_grid* grid;
    firn_spline spline;
    const firn_vec3* position;  // x_p
    const firn_vec3* velocity;  // v_p
    const firn_real* mass;      // m_p
    const firn_mat3* affine;    // B_p; null with FLIP
    firn_vec3 gravity;          // for the potential energy
    firn_real mass_min;         // lighter nodes are empty
    firn_vec4* node_velocity;   // out: v_i^n, m_i
    firn_mpm_sums* sums;        // out: momentum and energies per block
    int threads;
} firn_mpm_rasterize_args;

// Momentum and mass of one particle, as a node receives them.
static inline firn_vec4 firn_mpm_momentum_particle(const firn_mpm_rasterize_args* a, firn_local p)
{
    const firn_real m = a->mass[p];
    const firn_vec3 v = a->velocity[p];
    return (firn_vec4){m * v.x, m * v.y, m * v.z, m};
}
