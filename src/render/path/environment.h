// SPDX-License-Identifier: MIT
// Light from all directions as a picture (latitude-longitude), and directions chosen in proportion
// to it. Row 0 looks up (+y); the middle column looks along -z, columns to the right turn to +x.
#pragma once
#include "core/result.h"
#include "math/vec3.h"
#include "render/image/colour.h"
#include "render/path/rng.h"

#define FIRN_ENVIRONMENT_SIDE_MAX 32768  // [pixels]

typedef struct firn_environment {
    int32_t width, height;
    firn_rgb* texels;   // owned; [height][width]; constant within a texel
    float* row_cdf;     // owned; [height + 1]
    float* column_cdf;  // owned; [height][width + 1]
    float turn;         // [rad] about +y, by the right hand: the middle column moves towards -x
    float mean;         // mean luminance over the sphere
} firn_environment;

// Takes a copy of the texels. Refused: a negative or non-finite texel (`error` says where). A black
// picture is fine: it is never chosen.
firn_result firn_environment_create(firn_environment* e, const firn_rgb* texels, int32_t width,
                                    int32_t height, float turn, firn_error* error);
void firn_environment_destroy(firn_environment* e);

firn_rgb firn_environment_at(const firn_environment* e, firn_vec3 d);
// What firn_environment_sample gives for d. 0 also where the picture is too dim to be worth a
// sample (a chance below 2^-24 of its row, or of all rows): paths that scatter there must bring
// that light.
float firn_environment_pdf(const firn_environment* e, firn_vec3 d);  // [1/sr]
// pdf 0 when the picture is black.
firn_vec3 firn_environment_sample(const firn_environment* e, firn_rng* r, float* out_pdf);
