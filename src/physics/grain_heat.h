// SPDX-License-Identifier: MIT
// Heat of grains: Goswami et al. 2019, eqs. 8 to 12, kept as enthalpy (erratum 38). VALIDATION T46,
// T47. Enthalpy h [J/kg] is 0 in solid at 0 degC, L in water at 0 degC:
//
//     T       solid: h/c  ____________  (h - L)/c_w
//             ___________/            /
//     h       < 0       0     ...    L
//     beta    0         0    h/L     1       1
//
// A grain melts when beta reaches 1, and freezes when it is back at 0.
#pragma once
#include "physics/grain.h"

// Enthalpy in two parts, so that a build of floats keeps account as well: the sum is h.
typedef struct firn_grain_heat {
    firn_real high, low;  // [J/kg]
} firn_grain_heat;

FIRN_FN firn_grain_heat firn_grain_heat_of(double h)
{
    firn_grain_heat heat;
    heat.high = (firn_real)h;
    heat.low = (firn_real)(h - (double)heat.high);
    return heat;
}

FIRN_FN double firn_grain_heat_value(firn_grain_heat heat)
{
    return (double)heat.high + (double)heat.low;
}

// A constant of a grain by its phase; solid grains mix snow and ice.
FIRN_FN firn_real firn_grain_constant(const firn_grain_constants* c, const firn_real by_phase[3],
                                      firn_real r, uint8_t phase)
{
    if (phase == FIRN_WATER) return by_phase[FIRN_WATER];
    return firn_grain_mix(by_phase[FIRN_SNOW], by_phase[FIRN_ICE], firn_grain_snow_share(c, r));
}

// T [degC] of enthalpy h. Below 0 the heat capacity is that of the solid, whatever the phase.
FIRN_FN double firn_grain_temperature(const firn_grain_constants* c, double h, firn_real r,
                                      uint8_t phase)
{
    if (h > (double)c->latent)
        return (h - (double)c->latent) / (double)c->heat_capacity[FIRN_WATER];
    if (h >= 0) return 0;
    const uint8_t solid = phase == FIRN_WATER ? (uint8_t)FIRN_ICE : phase;
    const firn_real at = phase == FIRN_WATER ? c->r_ice : r;
    return h / (double)firn_grain_constant(c, c->heat_capacity, at, solid);
}

// The inverse, for snow that begins at T < 0 and for water at T > 0 [J/kg].
FIRN_FN double firn_grain_enthalpy(const firn_grain_constants* c, double T, firn_real r,
                                   uint8_t phase)
{
    if (phase == FIRN_WATER) return (double)c->latent + T * (double)c->heat_capacity[FIRN_WATER];
    return T * (double)firn_grain_constant(c, c->heat_capacity, r, phase);
}

// beta: the share that is molten.
FIRN_FN firn_real firn_grain_water(const firn_grain_constants* c, double h)
{
    const double share = h / (double)c->latent;
    return (firn_real)(share < 0 ? 0 : share > 1 ? 1 : share);
}

// Eq. 8 times C_p m: power [W] that i gains from a neighbour j. The conductivities meet in their
// harmonic mean, so that what i gains j loses, bit for bit (erratum 36). m/rho = r^3.
FIRN_FN firn_real firn_grain_conducted(const firn_grain_constants* c, firn_real T_i, firn_real T_j,
                                       const firn_grain* i, const firn_grain* j)
{
    const firn_real k_i = firn_grain_constant(c, c->conductivity, i->r, i->phase);
    const firn_real k_j = firn_grain_constant(c, c->conductivity, j->r, j->phase);
    const firn_real sum = k_i + k_j;
    if (!(sum > 0)) return 0;
    const firn_real V_i = i->r * (i->r * i->r), V_j = j->r * (j->r * j->r);
    return 2 * (k_i * k_j) / sum * (V_i * V_j) * c->conduction * c->heat_speed * (T_j - T_i);
}

// Eq. 10: power [W] from air or ground of temperature T_other through `sixths` sixths of the
// surface.
FIRN_FN firn_real firn_grain_surface_heat(const firn_grain_constants* c, const firn_grain* i,
                                          firn_real T, firn_real T_other, firn_real sixths)
{
    const firn_real area = (firn_real)12.5663706143591730 * (i->r * i->r);
    const firn_real transfer = firn_grain_constant(c, c->transfer, i->r, i->phase);
    return c->heat_speed * transfer * area * (sixths / 6) * (T_other - T);
}

// Sixths of the surface that are open to the air: n neighbours, `touching` colliders.
FIRN_FN firn_real firn_grain_open(int neighbours, int touching)
{
    const int open = 6 - neighbours - touching;
    return (firn_real)(open > 0 ? open : 0);
}

// The phase after enthalpy h: snow and ice melt at beta = 1, water freezes to ice at beta = 0.
FIRN_FN uint8_t firn_grain_phase_after(const firn_grain_constants* c, uint8_t phase, double h)
{
    if (phase != FIRN_WATER) return h >= (double)c->latent ? (uint8_t)FIRN_WATER : phase;
    return (uint8_t)(h <= 0 ? FIRN_ICE : FIRN_WATER);
}

// The radius that a grain takes when its phase changes [m].
FIRN_FN firn_real firn_grain_radius_after(const firn_grain_constants* c, uint8_t phase)
{
    return phase == FIRN_WATER ? c->r_water : c->r_ice;
}
