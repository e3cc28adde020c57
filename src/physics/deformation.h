// SPDX-License-Identifier: MIT
// The elastic deformation gradient after a step, before plasticity: F' = (I + dt grad v) F_E.
// Stomakhin 2013, section 4.1 step 7 (F_hat of eq. 11); Gissler 2020, section 3.3.1. For C and
// CUDA.
#pragma once
#include "math/mat3.h"
#include "math/mat3_lanes.h"

// Of one particle, in the plain loops. grad_v [1/s], dt [s].
FIRN_FN firn_mat3 firn_deformation_trial(firn_mat3 F_E, firn_real dt, firn_mat3 grad_v)
{
    return firn_m3_madd(F_E, dt, firn_m3_mul(grad_v, F_E));
}

// Of a SIMD batch, with the same bits per lane on the CPU; of one particle in a CUDA kernel.
FIRN_LANES_FN firn_mat3_lanes firn_deformation_trial_lanes(firn_mat3_lanes F_E, firn_lanes dt,
                                                           firn_mat3_lanes grad_v)
{
    return firn_m3_lanes_madd(F_E, dt, firn_m3_lanes_mul(grad_v, F_E));
}
