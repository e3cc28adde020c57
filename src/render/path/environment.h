// SPDX-License-Identifier: MIT
// Environment map (latitude-longitude) with importance sampling. Row 0 is up (+y); the middle
// column is -z, columns to the right turn towards +x.
#pragma once
#include "core/result.h"
#include "math/rgb.h"
#include "math/vec3.h"
#include "render/path/fast_math.h"
#include "render/path/rng.h"

#define FIRN_ENVIRONMENT_SIDE_MAX 32768  // [pixels]

typedef struct firn_environment {
    int32_t width, height;
    firn_rgb* texels;   // owned; [height][width]; constant within a texel
    float* row_cdf;     // owned; [height + 1]
    float* column_cdf;  // owned; [height][width + 1]
    float rotation;     // [rad] right-handed rotation about +y: the middle column moves towards -x
    float mean;         // luminance over the sphere
} firn_environment;

// Copies the texels. Refused: a negative or non-finite texel (`error` says where). A black map is
// valid, but never sampled.
firn_result firn_environment_create(firn_environment* e, const firn_rgb* texels, int32_t width,
                                    int32_t height, float rotation, firn_error* error);
void firn_environment_destroy(firn_environment* e);

// These three are defined in environment_sample.h.
FIRN_FN_ONCE firn_rgb firn_environment_at(const firn_environment* e, firn_vec3 d);
// The pdf of firn_environment_sample for d. Also 0 where the map is too dim to be sampled (a
// probability below 2^-24 within its row, or of the row): BSDF and phase sampling find that light.
FIRN_FN_ONCE float firn_environment_pdf(const firn_environment* e, firn_vec3 d);  // [1/sr]
// pdf 0 if the map is black.
FIRN_FN_ONCE firn_vec3 firn_environment_sample(const firn_environment* e, firn_rng* r,
                                               float* out_pdf);
