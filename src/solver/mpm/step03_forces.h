// SPDX-License-Identifier: MIT
// Step 3: f_i = -sum_p V_p^0 P(F_E) F_E^T grad w_ip. Stomakhin 2013, eq. 5-6 with x_hat = x.
// The J_p of eq. 6 (particle, det F) is not the J_P of eq. 2 (plastic): written with V_p^0 and P,
// as here, the first cancels. The fused passes compute P F_E^T by physics/snow_stress_lanes.h.
#pragma once
#include "physics/snow_hardening.h"
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_forces_args {
    const firn_sparse_grid* grid;
    firn_spline spline;
    const firn_vec3* position;          // x_p
    const firn_mat3* def_grad_elastic;  // F_E
    const firn_real* plastic_det;       // J_P
    const firn_real* volume;            // V_p^0
    const firn_real* stiffness;         // factor on E_0
    const firn_real* hardening;         // factor on xi; null: 1
    const uint8_t* material;
    const firn_mpm_material* materials;
    firn_vec4* node_force;  // out: f_i [N]
    firn_sums* sums;        // out: elastic energy, range of J_P
} firn_mpm_forces_args;

// mu(F_P), lambda(F_P) of eq. 2, with the particle's own stiffness and rate of hardening.  [Pa]
static inline firn_lame firn_mpm_lame_particle(const firn_mpm_material* mat, firn_real rate,
                                               firn_real stiffness, firn_real J_P)
{
    const firn_real e = firn_snow_hardening(rate, J_P, mat->hardening_max);
    return firn_snow_harden(mat->lame_0, e * stiffness);
}

// V_p^0 P F_E^T of one particle [J]; *out_energy is its V_p^0 Psi [J].
static inline firn_mat3 firn_mpm_stress_particle(const firn_mpm_forces_args* a, firn_local p,
                                                 double* out_energy)
{
    // first, so that the exponential overlaps with the iterations for R_E
    const firn_mpm_material* mat = &a->materials[a->material[p]];
    const firn_real J_P = a->plastic_det[p];
    const firn_lame lame =
        firn_mpm_lame_particle(mat, firn_mpm_rate(mat, a->hardening, p, J_P), a->stiffness[p], J_P);
    const firn_mat3 F_E = a->def_grad_elastic[p];
    const firn_mat3 R_E = firn_polar3_rotation(F_E);
    const firn_real V = a->volume[p];
    *out_energy = (double)V * (double)firn_snow_energy(F_E, R_E, lame);
    const firn_mat3 P = firn_snow_stress(F_E, R_E, lame);
    return firn_m3_scale(firn_m3_mul_transposed(P, F_E), V);
}
