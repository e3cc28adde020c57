// SPDX-License-Identifier: MIT
// Step 4, for fluids, not in Algorithm 1: implicit viscosity (physics/viscosity.h),
//   v' - dt/m_i sum_j F_ij(v') - dt kappa (v_wall - v') = v*
// by conjugate residuals without a matrix: the operator is self-adjoint in the mass product and
// definite, so that no step is too long for it. kappa is that of the wall, for fluids that stick to
// it. Snow takes part as something that does not flow: fluids stick to it, and between snow and
// snow there is no force. Fluids without a viscosity of their own have a small one, which takes
// what noise the pressure leaves, in one explicit step if no other fluid needs the solve:
// FIRN_SPH_NOISE times the spacing.
#pragma once
#include "linalg/cr.h"
#include "solver/sph/laws/viscosity.h"
#include "solver/sph/sph_state.h"

typedef struct firn_sph_viscosity_args {
    const firn_pair_list* pairs;     // the fast loops keep factors in place of slopes for a while
    const firn_sph_work* work;       // in: place (V) lambda; scratch of the shear solve; v_star
    firn_sph_contact_sums* contact;  // in: drag, drag_velocity of fluids; out: braked
    firn_local contact_count;
    firn_sph_particles p;  // in: mass, material, fresh_density
    const firn_sph_material* materials;
    firn_real h;    // [m]
    firn_real dt;   // [s]
    bool implicit;  // else one explicit step
    double tolerance;
    double floor;  // [m/s] rms of a right-hand side that counts as that large
    int max_iterations;
} firn_sph_viscosity_args;
