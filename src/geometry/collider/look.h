// SPDX-License-Identifier: MIT
// How pictures show a collider. Physics does not depend on it.
#pragma once
#include <stdint.h>

// Appearance of a collider.
typedef struct firn_look {
    int32_t kind;     // FIRN_LOOK_*
    float colour[3];  // 0..1, linear; first component below 0: chosen by the picture
    float roughness;  // 0.02..1
    float specular;   // 0..1: reflectance at normal incidence
    float scale;      // of a patterned surface: 1 is life-size
} firn_look;
enum {
    FIRN_LOOK_CHOSEN,  // not specified: chosen by the picture
    FIRN_LOOK_DIFFUSE,
    FIRN_LOOK_ROUGH,
    FIRN_LOOK_METAL,
    FIRN_LOOK_SHADOW_CATCHER,
    FIRN_LOOK_HIDDEN,  // not rendered: walls that would hide the snow
    // patterned: procedural surfaces in world coordinates (render/pattern.h)
    FIRN_LOOK_ASPHALT,
    FIRN_LOOK_ROCK,
    FIRN_LOOK_WOOD,
    FIRN_LOOK_ICE,
    FIRN_LOOK_SNOW
};
