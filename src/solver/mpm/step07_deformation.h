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
    // where snow ages; null: it does not
    firn_real *creep_stiffness, *healed_det;  // in and out
    const firn_real *mass, *volume;           // m_p, V_p^0
    const firn_real *stiffness, *hardening;   // factors on E_0 and xi; the second null: 1
    firn_mpm_ageing ageing;
    firn_mpm_fault* faults;  // out, per block
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

// theta_c and theta_s of a particle, in terms of the strain that is stored.
typedef struct firn_mpm_thresholds {
    firn_real theta_c, theta_s;
} firn_mpm_thresholds;

static inline firn_mpm_thresholds firn_mpm_thresholds_of(const firn_mpm_deformation_args* a,
                                                         firn_local p)
{
    const firn_mpm_material* mat = &a->materials[a->material[p]];
    const firn_mpm_thresholds t = {firn_mpm_varied(mat->theta_c, a->compression, p),
                                   firn_mpm_varied(mat->theta_s, a->stretch, p)};
    if (a->creep_stiffness == NULL) return t;
    const firn_real share = a->creep_stiffness[p] / a->stiffness[p];
    return (firn_mpm_thresholds){firn_mpm_threshold(t.theta_c, share),
                                 firn_mpm_threshold(t.theta_s, share)};
}

static inline firn_snow_clamped firn_mpm_deform_particle(const firn_mpm_deformation_args* a,
                                                         firn_local p, firn_mat3 grad_v)
{
    const firn_mat3 F_hat = firn_deformation_trial(a->def_grad_elastic[p], a->dt, grad_v);
    const firn_mpm_material* mat = &a->materials[a->material[p]];
    if (mat->clay.friction > 0) return firn_mpm_clay_particle(a, p, F_hat);
    const firn_mpm_thresholds t = firn_mpm_thresholds_of(a, p);
    return firn_snow_clamp(F_hat, a->plastic_det[p], t.theta_c, t.theta_s);
}

// After the clamp, whose results are in def_grad_elastic and plastic_det; `J_before`: J_P before.
static inline void firn_mpm_age_particle(const firn_mpm_deformation_args* a, firn_local p,
                                         firn_real J_before)
{
    const firn_mpm_aged s = {a->def_grad_elastic[p], a->plastic_det[p],
                             a->creep_stiffness[p] / a->stiffness[p], a->healed_det[p]};
    const firn_mpm_aged aged = firn_mpm_age(&a->ageing, &a->materials[a->material[p]], s,
                                            firn_mpm_varied(1, a->hardening, p), a->stiffness[p],
                                            a->mass[p] / a->volume[p], J_before);
    a->def_grad_elastic[p] = aged.F_E;
    a->plastic_det[p] = aged.J_P;
    a->creep_stiffness[p] = a->stiffness[p] * aged.share;
    a->healed_det[p] = aged.healed;
}
