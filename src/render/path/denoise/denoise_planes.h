// SPDX-License-Identifier: MIT
// The film as planes with a border, so that windows and patches need no special case at the
// picture's edge.
#pragma once
#include "render/path/film.h"

#define FIRN_DENOISE_WINDOW 8  // [pixels] radius of the search window
#define FIRN_DENOISE_PATCH 3   // [pixels] largest radius of the patches
#define FIRN_DENOISE_BORDER (FIRN_DENOISE_WINDOW + FIRN_DENOISE_PATCH)

enum { FIRN_DENOISE_FEATURES = 7 };  // albedo, normal, depth

// Planes [height + 2 border][stride]; the border repeats the edge pixels. Pixel (x, y) is at
// (y + border) * stride + x + border.
typedef struct firn_denoise_planes {
    int32_t width, height, stride;
    int32_t patch;                                   // [pixels] patch radius
    float* block;                                    // owned: all planes
    float* half[2][3];                               // colour of the half buffers
    float* variance[3];                              // of a half's mean
    float* feature[FIRN_DENOISE_FEATURES];           // about 0..1
    float* feature_variance[FIRN_DENOISE_FEATURES];  // of the mean
    float* spare[2 * FIRN_DENOISE_FEATURES];  // filtered features, then their distance coefficients
} firn_denoise_planes;

firn_result firn_denoise_planes_create(firn_denoise_planes* planes, const firn_film* film,
                                       firn_error* error);
void firn_denoise_planes_destroy(firn_denoise_planes* planes);
void firn_denoise_smooth_variance(firn_denoise_planes* planes);  // uses three spare planes
// Fills the border of a plane with its edge pixels.
void firn_denoise_extend(const firn_denoise_planes* planes, float* plane);

static inline size_t firn_denoise_at(const firn_denoise_planes* planes, int32_t x, int32_t y)
{
    return (size_t)(y + FIRN_DENOISE_BORDER) * (size_t)planes->stride +
           (size_t)(x + FIRN_DENOISE_BORDER);
}
