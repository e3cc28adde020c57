// SPDX-License-Identifier: MIT
// How pictures show a material: snow as a medium of particles, water and ice as a smooth
// transparent body, sauces as a smooth opaque one. Physics does not depend on it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct firn_material firn_material;  // scene/data/snow.h

typedef enum firn_material_look_kind {
    FIRN_SHOWN_BY_PHASE,  // not specified: snow, water, or a sauce
    FIRN_SHOWN_AS_SNOW,
    FIRN_SHOWN_AS_WATER,
    FIRN_SHOWN_AS_ICE,
    FIRN_SHOWN_AS_CHOCOLATE,
    FIRN_SHOWN_AS_SOFT_ICE
} firn_material_look_kind;

typedef struct firn_material_look {
    int32_t kind;  // firn_material_look_kind; the other values are those of the kind or given
    float ior;     // [-] index of refraction; 0: opaque
    float absorption[3];  // [1/m] in red, green and blue
    float scattering;     // [1/m] isotropic, without loss
    float colour[3];      // diffuse reflectance of an opaque body, linear
    float roughness;      // of its coat, 0.02..1
    float specular;       // reflectance of the coat at normal incidence
} firn_material_look;

// The look with the values of a kind.
firn_material_look firn_material_look_make(firn_material_look_kind kind);
// The look of a material; where the scene gives none, that of its phase.
firn_material_look firn_material_look_of(const firn_material* material);
// True: a smooth surface is drawn, not particles.
static inline bool firn_look_is_smooth(const firn_material_look* look)
{
    return look->kind > FIRN_SHOWN_AS_SNOW;
}
