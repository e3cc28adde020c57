// SPDX-License-Identifier: MIT
// Materials of a scene and its initial volumes of snow.
#pragma once
#include <math.h>

#include "geometry/sampling/seeding.h"
#include "physics/snow_material.h"
#include "scene/data/material_keys.h"
#include "scene/data/material_look.h"
#include "scene/data/vary.h"

// When a material turns into another one (solver sph). Zeroed: never. Without `after`, `below` and
// `above` it is by heat: snow that has melted, water that is frozen through.
typedef struct firn_becomes {
    bool active;
    firn_local material;  // index into materials
    double after;  // [s] since the particle was emitted, or became this; infinite: not by time
    double below, above;  // [degC]; NaN: not by temperature
    double over;          // [s] in which the rest density changes to the new material's
} firn_becomes;

struct firn_material {
    char* name;    // owned
    char* preset;  // owned; null: none
    firn_snow_material snow;
    firn_becomes becomes;
    firn_material_look look;
    int32_t key_count;                               // 0: constant
    firn_material_key keys[FIRN_MATERIAL_KEYS_MAX];  // ascending in time
};

static inline bool firn_becomes_by_heat(const firn_becomes* b)
{
    return b->active && isinf(b->after) && isnan(b->below) && isnan(b->above);
}

#define FIRN_SNOW_TEMPERATURE (-5)  // [degC] default

typedef struct firn_snow {
    firn_local shape;           // -1: particles from `file`
    char* file;                 // owned PLY path, resolved against the scene file; null: `shape`
    firn_local material;        // index into materials
    double particles_per_cell;  // [-]
    double loose;               // [-] spacing relative to packed snow; particles keep their mass
    firn_seeding seeding;
    int64_t seed;
    double velocity[3];  // [m/s]
    double spin[3];      // [rad/s] about the centre of the shape's bounds
    firn_vary vary;
    double temperature;  // [degC] initial
} firn_snow;
