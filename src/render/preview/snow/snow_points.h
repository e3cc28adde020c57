// SPDX-License-Identifier: MIT
// Particle data for a picture, given by the caller.
#pragma once
#include "math/vec3.h"

typedef struct firn_snow_points {
    const firn_vec3* x;        // [m]; non-finite positions are skipped
    const firn_real* mass;     // [kg]; may be null
    const firn_real* density;  // [kg/m^3]; may be null
    const uint32_t* id;        // may be null: the index is used
    firn_local count;
    // [m] particle radius r, of the grains solver; may be null. If set, a particle represents a
    // cube of snow of edge 2 r, and mass and density do not change its size.
    const firn_real* radius;
    const uint8_t* material;  // may be null: all are snow, or the scene's only material
    firn_local powder_count;  // so many at the end are powder: as fine as their mass is small
} firn_snow_points;

FIRN_FN bool firn_snow_is_powder(const firn_snow_points* points, firn_local p)
{
    return p >= points->count - points->powder_count;
}
