// SPDX-License-Identifier: MIT
// Step 2, first step only: rho_p^0 = sum_i m_i w_ip / h^3, V_p^0 = m_p / rho_p^0.
// Stomakhin 2013, section 4.1. At free surfaces the grid sees half a cell of snow, so V_p^0 comes
// out too big there (VALIDATION T03).
#pragma once
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_volumes_args {
    const firn_sparse_grid* grid;
    firn_spline spline;
    const firn_vec3* position;       // x_p
    const firn_real* mass;           // m_p
    const firn_vec4* node_velocity;  // m_i in the fourth lane (step 1)
    firn_real* volume;               // out: V_p^0
    int threads;
} firn_mpm_volumes_args;

static inline firn_real firn_mpm_volume_particle(const firn_mpm_volumes_args* a, firn_local p,
                                                 firn_real node_mass_at_p)
{
    const firn_real h_inv = a->grid->inverse_cell;
    const firn_real rho = node_mass_at_p * h_inv * h_inv * h_inv;  // [kg/m^3]
    return a->mass[p] / rho;
}
