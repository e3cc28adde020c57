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
#include "physics/heat_transfer.h"

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

// Of snow that a scene gives the temperature T. Above 0 degC its heat c T has melted a part of it:
// wet snow at 0 degC, at most all of it.
FIRN_FN double firn_grain_start_enthalpy(const firn_grain_constants* c, double T, firn_real r,
                                         uint8_t phase)
{
    const double h = firn_grain_enthalpy(c, T, r, phase);
    return h < (double)c->latent ? h : (double)c->latent;
}

// beta: the share that is molten.
FIRN_FN firn_real firn_grain_water(const firn_grain_constants* c, double h)
{
    const double share = h / (double)c->latent;
    return (firn_real)(share < 0 ? 0 : share > 1 ? 1 : share);
}

// Packed grains (theory/grains.md has the derivation of the numbers).
#define FIRN_GRAIN_HEAT_REACH 1.25     // [r_i + r_j] distance up to which grains conduct
#define FIRN_GRAIN_CONDUCTANCE 0.5323  // of two grains that touch, over k (r_i + r_j)
#define FIRN_GRAIN_SURFACE_DEPTH 2.95  // [r] grains whose centres are nearer are the surface
#define FIRN_GRAIN_WALL_DEPTH 0.55     // [r] of snow between them that their network stands for
#define FIRN_GRAIN_AIR_DEPTH 0.25      // [r] of snow in series with the air
#define FIRN_GRAIN_OPEN_BELOW 5.0      // neighbours below which a grain has an open surface
#define FIRN_GRAIN_OPEN_SLOPE 1.543    // with which a flat surface has its area
#define FIRN_GRAIN_WALL_COVERS 4.2     // neighbours that a flat collider stands for
#define FIRN_GRAIN_WALL_LEANS 1.7      // the same of the sum of their directions
#define FIRN_GRAIN_PACKED 1.2223       // grains in (2 r)^3: FIRN_PACKING_DENSITY of packing.h

// What surrounds a grain: neighbours, near ones more.
typedef struct firn_grain_around {
    firn_vec3 lean;   // sum of the directions to them
    firn_real count;  // of them
} firn_grain_around;

FIRN_FN firn_grain_around firn_grain_around_none(void)
{
    firn_grain_around a;
    a.lean = firn_v3(0, 0, 0);
    a.count = 0;
    return a;
}

// Conductance of a pair over its conductivity [m]: constant while they overlap but for the square
// of their distance, and less across a gap. Adds j to what is around i.
FIRN_FN firn_real firn_grain_conductance(const firn_grain* i, const firn_grain* j,
                                         firn_grain_around* around)
{
    const firn_vec3 way = firn_v3_sub(j->x, i->x);
    const firn_real touch = i->r + j->r, far = (firn_real)FIRN_GRAIN_HEAT_REACH * touch;
    const firn_real d2 = firn_v3_dot(way, way);
    if (!(d2 < far * far) || !(d2 > 0)) return 0;
    const firn_real d = firn_sqrt(d2), near = firn_min((far - d) / (far - touch), 1);
    around->lean = firn_v3_madd(around->lean, near / d, way);
    around->count += near;
    const firn_real share = firn_min(d / touch, 1);
    return (firn_real)FIRN_GRAIN_CONDUCTANCE * (near * (share * share)) * touch;
}

// The share of a grain's surface layer that a collider at distance phi covers: 1 on it, 0 for
// grains of the next layer.
FIRN_FN firn_real firn_grain_wall_share(firn_real r, firn_real phi)
{
    return firn_clamp(((firn_real)FIRN_GRAIN_SURFACE_DEPTH * r - phi) / (2 * r), 0, 1);
}

// Adds a collider with outward normal n to what is around a grain.
FIRN_FN void firn_grain_around_wall(firn_vec3 n, firn_real share, firn_grain_around* around)
{
    around->lean = firn_v3_madd(around->lean, -(firn_real)FIRN_GRAIN_WALL_LEANS * share, n);
    around->count += (firn_real)FIRN_GRAIN_WALL_COVERS * share;
}

// Power [W] from a collider of temperature T_other at distance phi. The areas of the surface layer
// add up to the collider's: 8 r^2 / FIRN_GRAIN_PACKED each.
FIRN_FN firn_real firn_grain_wall_heat(const firn_grain_constants* c, const firn_grain* i,
                                       firn_real T, firn_real T_other, firn_real heat_transfer,
                                       firn_real phi, firn_real share)
{
    const firn_real k = firn_grain_constant(c, c->conductivity, i->r, i->phase);
    const firn_real depth = firn_max(phi - (firn_real)FIRN_GRAIN_WALL_DEPTH * i->r, 0);
    const firn_real area = (firn_real)(8 / FIRN_GRAIN_PACKED) * (i->r * i->r) * share;
    return c->heat_speed * area * firn_heat_transfer_to(heat_transfer, k, depth) * (T_other - T);
}

// Power [W] from air of temperature T_other through the open part of the surface. Inside packed
// grains count - |lean| is 8.4 on average and hardly ever below 5; on a flat surface it is 2.5.
FIRN_FN firn_real firn_grain_air_heat(const firn_grain_constants* c, const firn_grain* i,
                                      firn_real T, firn_real T_other, firn_grain_around around)
{
    const firn_real closed =
        (around.count - firn_v3_length(around.lean)) / (firn_real)FIRN_GRAIN_OPEN_BELOW;
    const firn_real open = firn_clamp((firn_real)FIRN_GRAIN_OPEN_SLOPE * (1 - closed), 0, 1);
    const firn_real k = firn_grain_constant(c, c->conductivity, i->r, i->phase);
    const firn_real area = (firn_real)12.5663706143591730 * (i->r * i->r) * open;
    const firn_real transfer =
        firn_heat_transfer_to(c->air_transfer, k, (firn_real)FIRN_GRAIN_AIR_DEPTH * i->r);
    return c->heat_speed * area * transfer * (T_other - T);
}

// Power [W] that i gains from a neighbour j. The conductivities meet in their harmonic mean, so
// that what i gains j loses, bit for bit (erratum 36). With conduction: paper, eq. 8 times C_p m,
// m/rho = r^3.
FIRN_FN firn_real firn_grain_conducted(const firn_grain_constants* c, firn_real T_i, firn_real T_j,
                                       const firn_grain* i, const firn_grain* j,
                                       firn_grain_around* around)
{
    const firn_real k_i = firn_grain_constant(c, c->conductivity, i->r, i->phase);
    const firn_real k_j = firn_grain_constant(c, c->conductivity, j->r, j->phase);
    const firn_real sum = k_i + k_j;
    if (!(c->conduction > 0)) {
        const firn_real conductance = firn_grain_conductance(i, j, around) * c->heat_speed;
        return sum > 0 ? 2 * (k_i * k_j) / sum * conductance * (T_j - T_i) : 0;
    }
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
