// SPDX-License-Identifier: MIT
// Heat in snow that is made of particles: conduction between two of them, exchange through the
// surface, and stiffness as a function of temperature. Conduction is Brookshaw's (1985, 1994)
// Laplacian in the symmetric form of Cleary and Monaghan (1999), sec. 3: what i gains j loses, bit
// for bit, and the conductivities meet in their harmonic mean, so that the flux is continuous where
// they jump. Gissler et al. 2020, sec. 4.1.4 heat their figure 7 in this way. Temperatures are
// [degC]; snow is never warmer than 0.
#pragma once
#include "physics/drag.h"
#include "physics/heat_transfer.h"
#include "physics/snow_material.h"

// Power [W] that particle i gains from j (< 0: loses). k [W/m/K], V [m^3]; x_grad_W = (x_i - x_j)
// . grad_i W_ij [m^-3], never positive; r2 = |x_i - x_j|^2; spacing h [m]: 0.01 h^2 keeps two
// particles in one place from exchanging infinitely much.
FIRN_FN firn_real firn_heat_pair(firn_real T_i, firn_real T_j, firn_real k_i, firn_real k_j,
                                 firn_real V_i, firn_real V_j, firn_real x_grad_W, firn_real r2,
                                 firn_real h)
{
    const firn_real sum = k_i + k_j;
    if (!(sum > 0)) return 0;
    const firn_real k = 4 * (k_i * k_j) / sum;
    const firn_real share = x_grad_W / (r2 + (firn_real)0.01 * h * h);
    return V_i * V_j * k * share * (T_i - T_j);
}

// [m^2]: surface of a particle that is open to the air; 6 faces for a lone one, one on a flat
// surface (firn_drag_exposure).
FIRN_FN firn_real firn_heat_area(firn_real spacing, firn_real neighbours)
{
    return 6 * spacing * spacing * firn_drag_exposure(neighbours);
}

// Heat flows through the part of a face that colliders cover: all of it if the kernel sum over
// their particles is at least 0.1. That is about the sum of a particle at rest on a plane: a
// lattice that ends at a plane lacks 1 - 0.85 (VALIDATION T34), and boundary_volume scales it by
// 0.8.
#define FIRN_HEAT_RESTING 0.1

// [m^2]: the covered part of a face over the kernel sum.
FIRN_FN firn_real firn_heat_face(firn_real spacing, firn_real kernel)
{
    return spacing * spacing / firn_max(kernel, (firn_real)FIRN_HEAT_RESTING);
}

// Power [W] that a particle gains from air or a collider of temperature T_other through `area`
// [m^2]: Newton's law of cooling. heat_transfer [W/m^2/K].
FIRN_FN firn_real firn_heat_surface(firn_real T, firn_real T_other, firn_real heat_transfer,
                                    firn_real area)
{
    return heat_transfer * area * (T_other - T);
}

// [s]: with shorter explicit steps every new temperature is a mean of old ones with weights above
// 0, so that nothing overshoots. On a cubic lattice with the spline of support 2 h the weights of a
// particle's neighbours add up to 4.4 k/(rho c h^2) [1/s] (4.7 with the mean distance 3 % shorter);
// a particle exchanges through at most 6 faces, and with air and a collider at once.
FIRN_FN firn_real firn_heat_step_limit(firn_real density, firn_real heat_capacity,
                                       firn_real conductivity, firn_real spacing,
                                       firn_real heat_transfer)
{
    const firn_real inside = 5 * conductivity / spacing;
    return density * heat_capacity * spacing / (inside + 6 * heat_transfer);
}

#define FIRN_HEAT_LATENT 334000  // [J/kg] of melting ice; the default of grains.latent_heat, too

// Snow by its enthalpy: below 0 degC, or at 0 degC with a molten share `water`.
typedef struct firn_snow_warmth {
    firn_real temperature;  // [degC], at most 0
    firn_real water;        // 0 to 1, above 0 at 0 degC only
} firn_snow_warmth;

// The same after `warming` [K]: heat per mass and heat capacity c [J/kg/K]. At 0 degC heat melts
// snow instead of warming it, and cooling freezes the water again. Snow whose ice is all molten
// takes up no more.
FIRN_FN firn_snow_warmth firn_heat_warm(firn_snow_warmth snow, firn_real warming, firn_real c)
{
    const firn_real per_kelvin = c / FIRN_HEAT_LATENT;  // share that 1 K melts
    if (!(snow.water > 0)) {
        snow.temperature += warming;
        if (!(snow.temperature > 0)) return snow;
        snow.water = snow.temperature * per_kelvin;
        snow.temperature = 0;
    } else {
        snow.water += warming * per_kelvin;
        if (snow.water < 0) {
            snow.temperature = snow.water / per_kelvin;
            snow.water = 0;
        }
    }
    snow.water = firn_min(snow.water, 1);
    return snow;
}

// How heat changes a material.
typedef enum firn_heat_law {
    FIRN_HEAT_SNOW,   // firn_heat_warm
    FIRN_HEAT_MELTS,  // by enthalpy: ice, a mixture at 0 degC, water
    FIRN_HEAT_WARMS   // a fluid that does not freeze: its temperature alone
} firn_heat_law;

// The same for what may be liquid altogether, after `heat` [J/kg]. Its enthalpy is c_ice T below
// 0 degC, L water at 0 degC, and L + c_water T above.
FIRN_FN firn_snow_warmth firn_heat_melt(firn_snow_warmth snow, firn_real heat, firn_real c_ice,
                                        firn_real c_water)
{
    const firn_real c = snow.temperature < 0 ? c_ice : c_water;
    const firn_real H = c * snow.temperature + FIRN_HEAT_LATENT * snow.water + heat;
    if (H < 0) return FIRN_LIT(firn_snow_warmth){H / c_ice, 0};
    if (H < FIRN_HEAT_LATENT) return FIRN_LIT(firn_snow_warmth){0, H / FIRN_HEAT_LATENT};
    return FIRN_LIT(firn_snow_warmth){(H - FIRN_HEAT_LATENT) / c_water, 1};
}

// E [Pa] at temperature T: straight between the rows, constant beyond them.
FIRN_FN firn_real firn_young_at(const firn_snow_material* m, firn_real T)
{
    if (m->young_count == 0) return m->young;
    const firn_young_row* row = m->young_at;
    if (!(T > row[0].temperature)) return row[0].young;
    for (int k = 1; k < m->young_count; k++) {
        if (T >= row[k].temperature) continue;
        const firn_real way =
            (T - row[k - 1].temperature) / (row[k].temperature - row[k - 1].temperature);
        return row[k - 1].young + way * (row[k].young - row[k - 1].young);
    }
    return row[m->young_count - 1].young;
}
