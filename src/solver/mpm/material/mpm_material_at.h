// SPDX-License-Identifier: MIT
// A row of the material table at a time. For C and CUDA.
#pragma once
#include "physics/snow_hardening.h"
#include "scene/run/material_value.h"
#include "solver/mpm/material/mpm_material.h"

FIRN_FN firn_real firn_mpm_softening(const firn_snow_material* s, firn_lame lame, firn_real cell)
{
    if (s->cam_clay.friction > 0) return 0;
    if (!(s->fracture_energy > 0)) return s->hardening;
    return firn_snow_softening(lame, s->critical_stretch, cell, s->fracture_energy);
}

// The row at a time [s], on a grid of cells [m].
FIRN_FN firn_mpm_material firn_mpm_material_at(const firn_mpm_material_def* def, firn_real cell,
                                               double time)
{
    const firn_snow_material s = firn_material_value(&def->snow, def->keys, def->key_count, time);
    const bool clay = s.cam_clay.friction > 0;  // its return mapping is elastic: no creep
    firn_mpm_material m;
    m.lame_0 = firn_snow_lame(s.young, s.poisson);
    m.xi = clay ? 0 : s.hardening;
    m.xi_t = firn_mpm_softening(&s, m.lame_0, cell);
    m.theta_c = s.critical_compression;
    m.theta_s = s.critical_stretch;
    m.hardening_max = s.hardening_max;
    m.density = s.density;
    m.sound_squared = (m.lame_0.lambda + 2 * m.lame_0.mu) / s.density;
    m.clay = firn_cam_clay_law_of(&s);
    m.creep = FIRN_LIT(firn_creep_law){clay ? 0 : s.viscosity, s.viscosity_growth, s.density};
    m.sintering = FIRN_LIT(firn_sintering_law){s.sintering, s.sintering_time};
    return m;
}
