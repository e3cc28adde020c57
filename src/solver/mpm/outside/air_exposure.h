// SPDX-License-Identifier: MIT
// How much of a particle's surface is open to the air, from the volumes of snow around it, for C
// and CUDA. Particles spread their volumes to the nodes with cubic splines and gather them again.
#pragma once
#include "math/vec3.h"
#include "physics/drag.h"

// [m^3] that a particle spreads: V_p^0; in the first step with `volumes: grid` it is not known yet.
FIRN_FN firn_real firn_mpm_air_volume(firn_real volume, firn_real mass, firn_real fresh_density)
{
    return volume > 0 ? volume : mass / fresh_density;
}

// Share of the surface of a particle of this volume [m^3] that gathers `around` [m^3], itself
// included, with weights w.
FIRN_FN firn_real firn_mpm_exposure(const firn_real w[3][4], firn_real volume, firn_real around,
                                    firn_real inverse_cell)
{
    firn_real own = volume;
    for (int d = 0; d < 3; d++) {
        firn_real squares = 0;
        for (int i = 0; i < 4; i++) squares += w[d][i] * w[d][i];
        own *= squares;
    }
    const firn_real per_cell = inverse_cell * inverse_cell * inverse_cell;
    return firn_drag_exposure_filled((around - own) * per_cell / (firn_real)FIRN_DRAG_OTHERS_FULL);
}
