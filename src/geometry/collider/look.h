// SPDX-License-Identifier: MIT
// How pictures show a collider. Physics does not depend on it.
#pragma once
#include <stdint.h>

// How pictures show a body.
typedef struct firn_look {
    int32_t kind;     // FIRN_LOOK_*
    float colour[3];  // 0..1, linear; the first below 0: the picture chooses
    float roughness;  // 0.02..1
    float specular;   // 0..1: reflectance at normal incidence
} firn_look;
enum {
    FIRN_LOOK_CHOSEN,  // nothing was said: the picture chooses everything
    FIRN_LOOK_DIFFUSE,
    FIRN_LOOK_ROUGH,
    FIRN_LOOK_METAL,
    FIRN_LOOK_SHADOW_CATCHER,
    FIRN_LOOK_HIDDEN  // not in pictures at all: walls that would stand before the snow
};
