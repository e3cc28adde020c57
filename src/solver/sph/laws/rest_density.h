// SPDX-License-Identifier: MIT
// Rest density and hardened Lame parameters of one particle of snow: Gissler 2020, eq. 21-23, for C
// and CUDA. step01_rest_density.h explains them.
#pragma once
#include <math.h>

#include "math/mat3.h"
#include "physics/snow_hardening.h"
#include "solver/sph/laws/material.h"

// [Pa] least lambda. A flake much smaller than the spacing is spread so thin by the kernel that
// hardening underflows to 0 (J_P is 11 for one of 0.65 h), and the pressure solve divides by
// lambda. This one holds no load, and p rho_0 / lambda stays far from the largest float.
#define FIRN_SPH_LAMBDA_MIN ((firn_real)1e-20)

#define FIRN_SPH_ICE_DENSITY ((firn_real)917)  // [kg/m^3] at 0 degC
// [Pa] lambda of ice that is 5 % too dense. Real ice has 6.5 GPa, which the relaxed Jacobi
// iteration cannot solve next to soft snow; with this snow of 917 kg/m^3 yields at some 200 kPa.
#define FIRN_SPH_ICE_LAMBDA ((firn_real)1e7)

// What is added to lambda [Pa] at density rho: 0 up to 95 % of ice's, growing to 105 %. Snow that
// is denser as it begins (`fresh`), or was packed by flakes that appear inside it, is not pushed
// apart: its rest density is its own.
FIRN_FN firn_real firn_sph_ice_lambda(firn_real rho, firn_real fresh)
{
    const firn_real ice = firn_max(FIRN_SPH_ICE_DENSITY, fresh);
    const firn_real x = firn_clamp(10 * (rho / ice - (firn_real)0.95), 0, 1);
    return FIRN_SPH_ICE_LAMBDA * x * x;
}

// Properties of one particle that follow from its density. J_P = rho_0 / rho_0,i makes eq. 22-23
// those of Stomakhin 2013: (rho_0,i - rho_0) / rho_0,i = 1 - J_P.
typedef struct firn_sph_rest {
    firn_real volume, rest_density, J_P;
    firn_lame lame;
} firn_sph_rest;

// What it follows from, beside the density.
typedef struct firn_sph_rest_of {
    firn_real mass, fresh_density;  // m_i, rho_0
    firn_real stiffness;            // factor on E
    firn_real xi;                   // of the material, with the particle's own factor
    firn_real plastic_det;          // J_P as it was
    firn_mat3 F_E;
    bool plastic;  // hardening by det F_P, which is J_P and carried on by step 8
} firn_sph_rest_of;

FIRN_FN firn_sph_rest firn_sph_rest_snow(const firn_sph_rest_of* s, const firn_sph_material* mat,
                                         bool incompressible, firn_real rho)
{
    firn_sph_rest r;
    const firn_real rho_0 = s->fresh_density;
    r.volume = s->mass / rho;
    r.J_P = s->plastic_det;
    r.rest_density = rho * firn_abs(firn_m3_det(s->F_E));
    if (!s->plastic) r.J_P = rho_0 / r.rest_density;
    if (incompressible) r.rest_density = rho_0;
    const firn_real hardening = firn_snow_hardening(s->xi, r.J_P, mat->hardening_max);
    r.lame = firn_snow_harden(mat->lame_0, hardening * s->stiffness);
    r.lame.lambda = firn_max(FIRN_SPH_LAMBDA_MIN, r.lame.lambda + firn_sph_ice_lambda(rho, rho_0));
    if (incompressible) {
        r.lame.lambda = INFINITY;
        r.volume = s->mass / rho_0;
    }
    return r;
}

// A fluid has the volume and the density of rest in all sums: div v is then the exact rate of the
// sum of densities, and grad p its adjoint (step05_pressure.h).
FIRN_FN firn_sph_rest firn_sph_fluid_particle(firn_real mass, firn_real rho_0)
{
    return FIRN_LIT(firn_sph_rest){mass / rho_0, rho_0, 1, {0, INFINITY}};
}

// [J] G (F_E - 1):(F_E - 1) + lambda/2 (1/J - 1)^2 per volume: its slopes are the stress of eq. 9
// and, to first order in J - 1, the pressure of eq. 4. For statistics only.
FIRN_FN double firn_sph_elastic_energy(firn_mat3 F, const firn_sph_rest* r)
{
    const double J = (double)firn_m3_det(F), change = 1 / fmax(fabs(J), 1e-6) - 1;
    const firn_mat3 e = firn_m3_sub(F, firn_m3_identity());
    const double lambda = isinf(r->lame.lambda) ? 0 : (double)r->lame.lambda;
    return (double)r->volume *
           ((double)r->lame.mu * (double)firn_m3_dot(e, e) + 0.5 * lambda * change * change);
}
