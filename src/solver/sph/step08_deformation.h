// SPDX-License-Identifier: MIT
// Step 8: F' = F_E + dt grad v F_E, then what exceeds the critical stretches becomes plastic, and
// the rotation is left out. Gissler 2020, Algorithm 1 line 11, section 3.3.1. With F' = U S V^T,
//   objective: F_E = U c(S) U^T = c(sqrt(F' F'^T))     turns with the snow
//   paper:     F_E = V c(S) V^T = c(sqrt(F'^T F'))     does not (VALIDATION T40, erratum 19)
// with c the clamp to [1 - theta_c, 1 + theta_s]. F_E stays symmetric either way. An inverted F' is
// harmless: its stretches count by magnitude, as eq. 21 uses |det F_E|.
// Rotation stretches F' too, by the square of its angle. Crumbs of snow contract unless that change
// of volume is measured as all others are, by plain gradients (theory/sph.md, "Snow that spins").
// The paper's form has F' as it is.
#pragma once
#include "physics/deformation.h"
#include "solver/sph/laws/clamp.h"
#include "solver/sph/support/velocity_gradient.h"

typedef struct firn_sph_deformation_args {
    const firn_pair_list* pairs;
    const firn_sph_work* work;  // in: volume F S B L M wall_divergence; scratch: weighted, b
    firn_sph_particles p;       // in: velocity, material, ...; out: def_grad_elastic, plastic_det
    const firn_sph_material* materials;
    bool paper;    // V S V^T, and F' as it is
    bool mixed;    // some particles are fluids: F_E = 1
    bool plastic;  // rest_density: plastic. plastic_det is det F_P, to be carried on
    firn_real dt;
} firn_sph_deformation_args;
