// SPDX-License-Identifier: MIT
// Change of phase of one particle, for C and CUDA; step11_phases.h says when and how.
#pragma once
#include <math.h>

#include "math/vec3.h"
#include "physics/heat.h"
#include "solver/sph/laws/material.h"

// When a material turns into another one: firn_becomes of scene/data/snow.h.
typedef struct firn_sph_becomes {
    bool active, by_heat;
    firn_local material;
    double after;         // [s]
    double below, above;  // [degC]
    double over;          // [s]
} firn_sph_becomes;

// What depends on the material.
typedef struct firn_sph_phase {
    firn_local material;
    firn_real density, fresh_density;  // rho_i, rho_0 [kg/m^3]
    firn_real age;                     // [s] as it is
    firn_real birth_density;           // [kg/m^3] at the change; 0: reached
    firn_real pressure;                // [Pa]
    bool heats;                        // it has a temperature
    firn_snow_warmth warmth;
} firn_sph_phase;

FIRN_FN bool firn_sph_phase_is_due(const firn_sph_phase* p, const firn_sph_becomes* b,
                                   const firn_sph_material* mat)
{
    if (!b->active) return false;
    if ((double)p->age >= b->after) return true;
    if (!p->heats) return false;
    const double T = (double)p->warmth.temperature;
    if (T < b->below || T > b->above) return true;  // NaN: neither
    if (!b->by_heat) return false;
    return mat->phase == FIRN_PHASE_SNOW ? p->warmth.water >= 1 : !(p->warmth.water > 0);
}

// It becomes b->material, `mat`, of heat capacity c [J/kg/K]. F_E is 1 and a^G 0 afterwards.
FIRN_FN void firn_sph_phase_become(firn_sph_phase* p, const firn_sph_becomes* b,
                                   const firn_sph_material* mat, firn_real c)
{
    p->material = b->material;
    p->age = 0;
    p->birth_density = p->fresh_density = p->density;
    if (mat->phase != FIRN_PHASE_SNOW) p->pressure = firn_max(p->pressure, 0);
    if (!p->heats || mat->heat != FIRN_HEAT_SNOW || b->by_heat) return;
    // snow is never warmer than 0 degC
    const firn_snow_warmth cold = {0, 0};
    p->warmth = firn_heat_warm(cold, p->warmth.temperature, c);
}

// The material's density, from what it was at the change, within `over` [s].
FIRN_FN void firn_sph_phase_ramp(firn_sph_phase* p, const firn_sph_material* mat, double over)
{
    const firn_real birth = p->birth_density, to = mat->density;
    if (!(birth > 0)) return;
    const double share = over > 0 ? (double)p->age / over : 1;
    firn_real now = share < 1 ? birth + (firn_real)share * (to - birth) : to;
    // snow that is born denser than its material would harden at once: it loosens as it takes room
    if (mat->phase == FIRN_PHASE_SNOW) now = firn_max(now, firn_min(p->density, p->fresh_density));
    p->fresh_density = now;
    if (now == to) p->birth_density = 0;
}

// How long the rest density of a particle of this material takes: by the material that became it.
// `becomes` [count]: of all materials.
FIRN_FN double firn_sph_phase_ramp_time(const firn_sph_becomes* becomes, firn_local count,
                                        firn_local material)
{
    double over = 0;
    for (firn_local k = 0; k < count; k++)
        if (becomes[k].active && becomes[k].material == material && becomes[k].over > over)
            over = becomes[k].over;
    return over;
}
