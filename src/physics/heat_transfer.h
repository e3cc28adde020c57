// SPDX-License-Identifier: MIT
// Heat through the surface of snow, for particles and grains.
#pragma once
#include "math/shared.h"

// [W/m^2/K] from air or a collider to a point `depth` [m] below the surface of snow of conductivity
// k [W/m/K]: heat_transfer and the snow above the point in series. The temperature of a particle is
// that of its centre, half a spacing deep.
FIRN_FN firn_real firn_heat_transfer_to(firn_real heat_transfer, firn_real k, firn_real depth)
{
    if (!(heat_transfer > 0) || !(k > 0)) return 0;
    return heat_transfer * k / (k + heat_transfer * depth);
}
