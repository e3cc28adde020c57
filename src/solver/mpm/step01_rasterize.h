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
    firn_sums* sums;            // out: momentum and energies per block
} firn_mpm_rasterize_args;

// v_i^n and m_i of a node.
typedef struct firn_mpm_node {
    firn_vec3 velocity;  // [m/s]
    firn_real mass;      // [kg]
} firn_mpm_node;

// From the momentum and mass of all particles; nodes lighter than mass_min are empty.
FIRN_FN firn_mpm_node firn_mpm_node_velocity(firn_vec3 momentum, firn_real mass, firn_real mass_min)
{
    const firn_real scale = 1 / mass;
    const firn_mpm_node node = {firn_v3_scale(momentum, scale), mass};
    const firn_mpm_node empty = {{0, 0, 0}, 0};
    return mass > mass_min ? node : empty;
}

// Adds mass, momentum, kinetic and potential energy of a particle.
FIRN_FN void firn_mpm_sums_add(firn_real mass, firn_vec3 x, firn_vec3 v, firn_vec3 gravity,
                               firn_sums* s)
{
    const double m = mass, vx = v.x, vy = v.y, vz = v.z;
    s->mass += m;
    s->momentum[0] += m * vx;
    s->momentum[1] += m * vy;
    s->momentum[2] += m * vz;
    s->kinetic += 0.5 * m * (vx * vx + vy * vy + vz * vz);
    s->potential -= m * ((double)gravity.x * (double)x.x + (double)gravity.y * (double)x.y +
                         (double)gravity.z * (double)x.z);
}

// Momentum and mass of one particle, as a node receives them.
static inline firn_vec4 firn_mpm_momentum_particle(const firn_mpm_rasterize_args* a, firn_local p)
{
    const firn_real m = a->mass[p];
    const firn_vec3 v = a->velocity[p];
    return (firn_vec4){m * v.x, m * v.y, m * v.z, m};
}
