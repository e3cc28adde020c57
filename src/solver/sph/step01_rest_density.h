// SPDX-License-Identifier: MIT
// Step 1: density from where the particles are, rest density without the elastic compression, and
// the Lame parameters that hardening makes of it. Gissler 2020, Algorithm 1 line 2, section 3.3.2:
//   rho_i   = sum_k m_k W_ik                                   eq. 20; k: i itself, snow, colliders
// or, where fluids are (Solenthaler and Pajarola 2008), by volumes at rest, so that a neighbour of
// another density is not felt as packed or loose snow:
//   rho_i   = rho_0 sum_k m_k / rho_0,k W_ik                   rho_0: each particle's own
//   rho_0,i = rho_i |det F_E|                                  eq. 21
//   G_i, lambda_i = (G, lambda) exp(xi (1 - rho_0 / rho_0,i))  eq. 22-23
// For comparison (4.2.6) the last may go by det F_P instead of rho_0 / rho_0,i, as mpm has it. The
// pressure keeps eq. 21: rho_0 / det F_P is three times the density of an isolated flake, whose
// pressure would pull any two of them together.
// A fluid has rho_0,i = rho_0, G_i = 0 and 1/lambda_i = 0.
// Snow is not packed beyond ice: around its density lambda_i grows by far (firn_sph_ice_lambda).
// Boundary particles have the mass rho_0 V_b, rho_0 being that of the particle's own material; the
// paper leaves it open. The slopes W'(r_ij) / r_ij of the kernel of all pairs are found on the way,
// once for all passes of the step.
#pragma once
#include <math.h>

#include "math/mat3.h"
#include "physics/sph_kernel.h"
#include "solver/sph/laws/rest_density.h"
#include "solver/sph/sph_state.h"

typedef struct firn_sph_rest_density_args {
    firn_pair_list* pairs;      // in: who; out: slopes
    const firn_sph_work* work;  // in: x y z place wall_kernel; out: volume rest_density lambda
                                // shear F, and V_i in the fourth component of `place`
    firn_sph_particles p;       // in: F_E, mass, ...; out: density, plastic_det
    const firn_sph_material* materials;
    firn_real h;                    // spacing [m]
    bool plastic;                   // hardening by det F_P, which is J_P and carried on by step 8
    bool incompressible;            // all snow has the pressure of a fluid
    bool volumes;                   // the fourth component of `place` is m_i / rho_0, not m_i
    const firn_real* young_factor;  // [count] E(T_i) / E; null: 1
    firn_vec3 gravity;
    firn_sums* sums;  // out
} firn_sph_rest_density_args;

// W'(r_ij) / r_ij of one pair, and W_ij.
static inline firn_real firn_sph_pair_slope(firn_vec3 x_i, firn_vec3 x_j, firn_real h,
                                            firn_real* out_W)
{
    const firn_vec3 x_ij = firn_v3_sub(x_i, x_j);
    const firn_real r = firn_sqrt(firn_v3_dot(x_ij, x_ij));
    *out_W = firn_sph_w(r, h);
    return firn_sph_dw_over_r(r, h);
}

// rho_i from the sum over neighbours and i itself.
static inline firn_real firn_sph_density(const firn_sph_rest_density_args* a, firn_local i,
                                         firn_real sum)
{
    const firn_real rho_0 = a->p.fresh_density[i], wall = a->work->wall_kernel[i];
    return a->volumes ? rho_0 * (sum + wall) : firn_fma(rho_0, wall, sum);
}

static inline firn_sph_rest firn_sph_rest_particle(const firn_sph_rest_density_args* a,
                                                   firn_local i, firn_real rho)
{
    const firn_sph_material* mat = &a->materials[a->p.material[i]];
    const firn_real rho_0 = a->p.fresh_density[i];
    if (mat->phase != FIRN_PHASE_SNOW) return firn_sph_fluid_particle(a->p.mass[i], rho_0);
    const firn_real heated = a->young_factor != NULL ? a->young_factor[i] : 1;
    const firn_sph_rest_of of = {.mass = a->p.mass[i],
                                 .fresh_density = rho_0,
                                 .stiffness = a->p.stiffness[i] * heated,
                                 .xi = firn_sph_varied(mat->xi, a->p.hardening, i),
                                 .plastic_det = a->p.plastic_det[i],
                                 .F_E = a->p.def_grad_elastic[i],
                                 .plastic = a->plastic};
    return firn_sph_rest_snow(&of, mat, a->incompressible, rho);
}
