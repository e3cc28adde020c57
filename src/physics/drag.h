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

// What others fill around a particle of that lattice, and it does not itself: 1 - (B_7(0)/2)^3, B_7
// the spline of degree 7, which spreading and gathering with cubic ones amounts to.
#define FIRN_DRAG_OTHERS_FULL 0.98623

// Share of the surface of a particle on a grid that is open to the air, where `filled` is the share
// of its surroundings that other snow fills: volumes that cubic B-splines spread to the nodes and
// gather again, without the particle's own, at most 1. For a lattice of eight particles a cell,
// averaged over its place on the grid, it is 0 in the second layer below a face (filled: 0.819) and
// below, and within 0.002, 1/6 on a face (0.615), 2/6 on an edge (0.376), 3/6 at a corner (0.228),
// and 1 for a lone particle.
FIRN_FN firn_real firn_drag_exposure_filled(firn_real filled)
{
    const firn_real second = (firn_real)0.18136;
    const firn_real x = firn_clamp((1 - filled - second) / (1 - second), 0, 1);
    return x * ((firn_real)0.91318 + x * ((firn_real)-1.31422 + x * (firn_real)1.40104));
}

// Share of a flake's surface that is open to the air: 1 for a lone flake, 0 with a full
// neighbourhood. The cubic through what a cubic lattice has: 1/6 on a face (17 neighbours), 2/6 on
// an edge (11) and, within 0.01, 3/6 at a corner (7).
FIRN_FN firn_real firn_drag_exposure(firn_real neighbours)
{
    const firn_real x = firn_clamp(1 - neighbours / FIRN_DRAG_NEIGHBOURS_FULL, 0, 1);
    return x * ((firn_real)0.51443 + x * ((firn_real)-0.40263 + x * (firn_real)0.8882));
}
