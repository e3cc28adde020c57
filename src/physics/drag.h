// SPDX-License-Identifier: MIT
// Drag of air on a flake: the sphere of Schiller and Naumann (1933), C_d = 24/Re (1 + 0.15
// Re^0.687) up to Re = 1000, Newton's 0.44 above. Flakes with neighbours are shielded, as in
// Gissler et al. 2017, here by the number of neighbours.
#pragma once
#include "math/elementary.h"

#define FIRN_DRAG_NEWTON 0.44     // C_d of a sphere, 1e3 < Re < 2e5
#define FIRN_DRAG_RE_NEWTON 1000  // where the two laws meet, within 0.4 %
// Neighbours within two spacings, itself not counted, inside a cubic lattice.
#define FIRN_DRAG_NEIGHBOURS_FULL 26

// C_d times Re, finite at Re = 0 (24: Stokes).
FIRN_FN double firn_drag_coefficient_re(double Re)
{
    if (Re > FIRN_DRAG_RE_NEWTON) return FIRN_DRAG_NEWTON * Re;
    if (!(Re > 1e-12)) return 24;
    return 24 * (1 + 0.15 * firn_exp_double(0.687 * firn_log_double(Re)));
}

// [1/s]: dv/dt = -rate (v - v_air) for a sphere of this diameter [m] and mass [kg] that the air
// passes at `speed` = |v - v_air| [m/s]. Air: [kg/m^3] and [Pa s], both above 0.
FIRN_FN firn_real firn_drag_rate(firn_real speed, firn_real diameter, firn_real mass,
                                 firn_real air_density, firn_real air_viscosity)
{
    const double d = (double)diameter, eta = (double)air_viscosity;
    const double Re = (double)air_density * (double)speed * d / eta;
    // F/v = rho/2 C_d v (pi/4) d^2 / v, with C_d = (C_d Re) eta / (rho v d)
    return (firn_real)(0.39269908169872415 * eta * d * firn_drag_coefficient_re(Re) / (double)mass);
}

// [kg]: a flake as a sphere of this diameter [m] and density [kg/m^3], much of which is air.
FIRN_FN firn_real firn_drag_flake_mass(firn_real diameter, firn_real density)
{
    return (firn_real)0.52359877559829887 * density * diameter * diameter * diameter;  // pi/6
}

// [1/s]: of a particle whose surface is open to the air by the share `exposed`. Alone it falls as
// each of the flakes that it represents, in a heap the air meets the snow that they have become.
FIRN_FN firn_real firn_drag_mixed(firn_real exposed, firn_real flake, firn_real snow)
{
    return exposed * (snow + exposed * (flake - snow));
}

// Share of a flake's surface that is open to the air: 1 for a lone flake, 0 with a full
// neighbourhood. The cubic through what a cubic lattice has: 1/6 on a face (17 neighbours), 2/6 on
// an edge (11) and, within 0.01, 3/6 at a corner (7).
FIRN_FN firn_real firn_drag_exposure(firn_real neighbours)
{
    const firn_real x = firn_clamp(1 - neighbours / FIRN_DRAG_NEIGHBOURS_FULL, 0, 1);
    return x * ((firn_real)0.51443 + x * ((firn_real)-0.40263 + x * (firn_real)0.8882));
}
