// SPDX-License-Identifier: MIT
// Glints: facets of single crystals that mirror the sun into the camera (design/0031).
#pragma once
#include "render/path/lights.h"
#include "render/path/picture.h"
#include "render/path/shutter.h"

// [kg] of snow that one crystal stands for: a grain of 1 mm and the air about it.
#define FIRN_GLINT_MASS 1e-6
// Cosine of the angle, 2 degrees, between facet and half vector beyond which nothing is mirrored.
#define FIRN_GLINT_COSINE 0.99939083f

// How much brighter than on average a crystal is whose facet's normal and the half vector have the
// cosine `cosine`; its mean over all directions is 1.
FIRN_FN float firn_glint_lobe(float cosine)
{
    const float share = 1 - FIRN_GLINT_COSINE, off = (1 - fabsf(cosine)) / share;
    return off < 1 ? 3 / share * (1 - off) * (1 - off) : 0;
}

// Adds the light of the snow's crystals to the film, if the scene's `glints` and its sun are not 0:
// the share that paths leave out (firn_path_scatter). Crystals move with their particles, and their
// facets depend on the particles' ids alone. Bitwise equal for any number of threads.
firn_result firn_glints_add(firn_film* film, const firn_scene_data* scene,
                            const firn_picture_snow* snow, const firn_shutter* shutter,
                            const firn_lights* lights, firn_error* error);
