// SPDX-License-Identifier: MIT
// Materials of a scene and the volumes of snow that are there at the start.
#pragma once
#include "geometry/sampling/seeding.h"
#include "physics/snow_material.h"
#include "scene/data/vary.h"

typedef struct firn_material {
    char* name;    // owned
    char* preset;  // owned; null when none was named
    firn_snow_material snow;
} firn_material;

#define FIRN_SNOW_TEMPERATURE (-5)  // [degC] of snow that says nothing

typedef struct firn_snow {
    firn_local shape;           // -1: particles from `file`
    char* file;                 // owned PLY path, resolved against the scene file; null: `shape`
    firn_local material;        // index into materials
    double particles_per_cell;  // [-]
    double loose;  // [-] distance of particles, in that of packed snow; they keep their mass
    firn_seeding seeding;
    int64_t seed;
    double velocity[3];  // [m/s]
    double spin[3];      // [rad/s] about the centre of the shape's bounds
    firn_vary vary;
    double temperature;  // [degC] at the start
} firn_snow;
