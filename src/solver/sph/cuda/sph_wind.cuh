// SPDX-License-Identifier: MIT
// Wind from a volume, on a device.
#pragma once
#include "geometry/deform/velocity_sample.h"

typedef struct firn_sph_wind {
    firn_velocity_grid grid;
    const uint8_t* known;
} firn_sph_wind;
