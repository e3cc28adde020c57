// SPDX-License-Identifier: MIT
// What is known before the shear solve of the forces that push a particle off colliders: the
// pressure of step 5 and the stress of the present F_E.
#pragma once
#include "solver/sph/support/velocity_gradient.h"

// psi p [Pa]
static inline firn_real firn_sph_known_pressure(const firn_sph* m, firn_local i)
{
    const bool split = m->def.elasticity == FIRN_SPH_SPLIT;
    return split ? (firn_real)m->def.boundary_pressure * m->p.pressure[i] : 0;
}

// tr sigma [Pa]. `w`: of the snow.
static inline firn_real firn_sph_known_trace(const firn_sph* m, const firn_sph_work* w,
                                             firn_local i)
{
    const bool split = m->def.elasticity == FIRN_SPH_SPLIT;
    const firn_real bulk = 2 * w->shear[i] + (split ? 0 : 3 * w->lambda[i]);
    return bulk * (firn_m3_trace(firn_sph_F_of(w, i)) - 3);
}
