// SPDX-License-Identifier: MIT
// Step 2, first step only, with `volumes: grid`: rho_p^0 = sum_i m_i w_ip / h^3, V_p^0 = m_p /
// rho_p^0. Stomakhin 2013, section 4.1. At free surfaces the grid sees half a cell of snow, so
// V_p^0 is too large there (VALIDATION T03). With `volumes: exact`, the default, V_p^0 is what this
// tends to as h goes to 0: the volume that the seed represents, known before the first step.
#pragma once
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_volumes_args {
    const firn_sparse_grid* grid;
    firn_spline spline;
    const firn_vec3* position;       // x_p
    const firn_real* mass;           // m_p
    const firn_vec4* node_velocity;  // m_i in the fourth component (step 1)
    firn_real* volume;               // out: V_p^0
} firn_mpm_volumes_args;

// V_p^0 [m^3] of a particle of mass m_p, where the nodes' masses add up to sum_i m_i w_ip.
FIRN_FN firn_real firn_mpm_volume(firn_real m_p, firn_real node_mass_at_p, firn_real inverse_cell)
{
    const firn_real rho = node_mass_at_p * inverse_cell * inverse_cell * inverse_cell;  // [kg/m^3]
    return m_p / rho;
}
