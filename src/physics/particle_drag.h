// SPDX-License-Identifier: MIT
// Drag of the air on a particle of snow, of any solver. It is implicit:
// v' = (v + dt rate v_air) / (1 + dt rate), stable however light a flake is.
#pragma once
#include "math/elementary.h"
#include "math/vec3.h"
#include "physics/drag.h"

// [1/s] of the sphere with the volume of the snow that the particle represents; at `speed` [m/s].
FIRN_FN firn_real firn_drag_lump(firn_real speed, firn_real mass, firn_real fresh_density,
                                 firn_real air_density, firn_real air_viscosity)
{
    const firn_real volume = mass / fresh_density;
    const firn_real diameter =
        (firn_real)firn_cbrt_double(1.9098593171027440 * (double)volume);  // 6/pi
    return firn_drag_rate(speed, diameter, mass, air_density, air_viscosity);
}

// [1/s] of a flake as it falls alone: its diameter [m] and density [kg/m^3].
FIRN_FN firn_real firn_drag_flake(firn_real speed, firn_real size, firn_real density,
                                  firn_real air_density, firn_real air_viscosity)
{
    return firn_drag_rate(speed, size, firn_drag_flake_mass(size, density), air_density,
                          air_viscosity);
}

// [1/s] of a particle whose surface is open to the air by the share `exposed`. The flakes that it
// represents have this size [m] and density [kg/m^3]; size 0: it is snow of that volume, not
// flakes.
FIRN_FN firn_real firn_drag_particle(firn_real exposed, firn_real speed, firn_real mass,
                                     firn_real fresh_density, double flake_size,
                                     double flake_density, firn_real air_density,
                                     firn_real air_viscosity)
{
    const firn_real snow = firn_drag_lump(speed, mass, fresh_density, air_density, air_viscosity);
    if (!(flake_size > 0)) return exposed * snow;
    return firn_drag_mixed(exposed,
                           firn_drag_flake(speed, (firn_real)flake_size, (firn_real)flake_density,
                                           air_density, air_viscosity),
                           snow);
}

FIRN_FN firn_vec3 firn_dragged(firn_vec3 v, firn_vec3 wind, firn_real dt, firn_real rate)
{
    return firn_v3_scale(firn_v3_madd(v, dt * rate, wind), 1 / (1 + dt * rate));
}
