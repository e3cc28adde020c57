// SPDX-License-Identifier: MIT
// Step 7: F_E <- (I + dt grad v_p) F_E, grad v_p = sum_i v_i (grad w_ip)^T, then the plastic clamp.
// Stomakhin 2013, section 4.1 step 7 and section 7 (eq. 11-12). The fused passes call
// firn_deformation_trial_lanes and firn_snow_clamp_lanes instead. Materials with Cam-Clay
// plasticity have its return mapping in place of the clamp.
#pragma once
#include "physics/deformation.h"
#include "physics/snow_plasticity.h"
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_deformation_args {
    const firn_sparse_grid* grid;
    firn_spline spline;
    const firn_vec3* position;  // x_p^n
    const uint8_t* material;
    const firn_mpm_material* materials;
    const firn_real *compression, *stretch;  // factors on theta_c, theta_s; null: 1
    const firn_vec4* node_new;               // v_i^{n+1}
    firn_real dt;
    firn_mat3* def_grad_elastic;  // in and out: F_E
    firn_real* plastic_det;       // in and out: J_P
    firn_real* consolidation;     // in and out: alpha of Cam-Clay; null: no such material
    firn_mpm_fault* faults;       // out, per block
    int threads;
} firn_mpm_deformation_args;

// Return mapping of one particle of a material with Cam-Clay, with the trial F_hat.
static inline firn_snow_clamped firn_mpm_clay_particle(const firn_mpm_deformation_args* a,
                                                       firn_local p, firn_mat3 F_hat)
{
    const firn_mpm_material* mat = &a->materials[a->material[p]];
    const firn_cam_clay_returned r =
        firn_cam_clay_return(F_hat, a->plastic_det[p], a->consolidation[p], &mat->clay);
    a->consolidation[p] = r.alpha;
    return (firn_snow_clamped){r.F_E, r.J_P, r.inverted};
}

static inline firn_snow_clamped firn_mpm_deform_particle(const firn_mpm_deformation_args* a,
                                                         firn_local p, firn_mat3 grad_v)
{
    const firn_mat3 F_hat = firn_deformation_trial(a->def_grad_elastic[p], a->dt, grad_v);
    const firn_mpm_material* mat = &a->materials[a->material[p]];
    if (mat->clay.friction > 0) return firn_mpm_clay_particle(a, p, F_hat);
    return firn_snow_clamp(F_hat, a->plastic_det[p],
                           firn_mpm_varied(mat->theta_c, a->compression, p),
                           firn_mpm_varied(mat->theta_s, a->stretch, p));
}
