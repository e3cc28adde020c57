// SPDX-License-Identifier: MIT
// Heat of one particle, for C and CUDA; step10_heat.h says what is exchanged, physics/heat.h has
// the laws.
#pragma once
#include <math.h>

#include "geometry/collider/collider.h"
#include "physics/heat.h"
#include "solver/sph/laws/contact.h"
#include "solver/sph/laws/material.h"

// Most explicit substeps of a step, so that a huge heat_speed does not hang. Beyond it heat flows
// as fast as stable substeps allow, slower than heat_speed requests (sph_def.c warns).
#define FIRN_SPH_HEAT_PARTS 1000

// [h] Between the third and the fourth shell of a cubic lattice, at 1.73 and 2 h: how many
// neighbours a particle on a face has must not depend on rounding.
#define FIRN_SPH_HEAT_SHELL 1.87

// Square of the distance [m] up to which neighbours count for the surface open to the air.
FIRN_FN firn_real firn_sph_heat_near(firn_real h)
{
    return (firn_real)(FIRN_SPH_HEAT_SHELL * FIRN_SPH_HEAT_SHELL) * (h * h);
}

// Substeps of `dt` [s] of heat; `limit`: the longest stable one.
FIRN_FN int firn_sph_heat_parts(double dt, double limit)
{
    const double wanted = ceil(dt / limit);
    return wanted < 1 ? 1 : wanted > FIRN_SPH_HEAT_PARTS ? FIRN_SPH_HEAT_PARTS : (int)wanted;
}

// [W] from the air of temperature T_air (NaN: it exchanges no heat). k: conductivity [W/m/K];
// transfer: of the air [W/m^2/K]; near: neighbours; kernel: of colliders.
FIRN_FN firn_real firn_sph_heat_from_air(firn_real T, double T_air, firn_real k, firn_real transfer,
                                         firn_real h, firn_real near, firn_real kernel)
{
    if (isnan(T_air)) return 0;
    const firn_real covered = kernel * firn_heat_face(h, kernel);
    return firn_heat_surface(T, (firn_real)T_air, firn_heat_transfer_to(transfer, k, h / 2),
                             firn_max(firn_heat_area(h, near) - covered, 0));
}

// What a boundary particle of `body` adds to the heat of a particle; kernel: V_b W_ib.
FIRN_FN void firn_sph_contact_warm(const firn_collider* body, firn_real kernel, firn_real k,
                                   firn_real h, firn_sph_contact_sums* t)
{
    if (isnan(body->temperature)) return;
    const firn_real rate = kernel * firn_heat_transfer_to(body->heat_transfer, k, h / 2);
    t->heat_rate += rate;
    t->heat_power += rate * body->temperature;
}

// When all have been added.
FIRN_FN void firn_sph_contact_face(firn_real h, firn_sph_contact_sums* t)
{
    const firn_real area = firn_heat_face(h, t->kernel);
    t->heat_rate *= area;
    t->heat_power *= area;
}

// After `power` [W] for dt [s]; c: heat capacity [J/kg/K].
FIRN_FN firn_snow_warmth firn_sph_warmed(const firn_sph_material* mat, firn_real c,
                                         firn_snow_warmth now, firn_real power, firn_real mass,
                                         firn_real dt)
{
    if (mat->heat == FIRN_HEAT_SNOW) return firn_heat_warm(now, dt * power / (mass * c), c);
    if (mat->heat == FIRN_HEAT_MELTS)
        return firn_heat_melt(now, dt * power / mass, mat->c_ice, mat->c_water);
    now.temperature += dt * power / (mass * c);
    return now;
}

// A particle that begins at temperature T: snow that is warmer than 0 degC is molten instead.
FIRN_FN firn_snow_warmth firn_sph_warmth_at(const firn_sph_material* mat, firn_real c, firn_real T)
{
    const firn_snow_warmth cold = {0, 0}, molten = {0, 1};
    if (mat->heat == FIRN_HEAT_SNOW) return firn_heat_warm(cold, T, c);
    const bool snow = mat->phase == FIRN_PHASE_SNOW;  // a fluid is molten
    return firn_heat_melt(snow ? cold : molten, c * T, mat->c_ice, mat->c_water);
}
