// SPDX-License-Identifier: MIT
// Depth, normal and albedo as guides: first their own noise is taken out, because a noisy guide
// keeps like pixels apart.
#pragma once
#include "render/path/denoise/denoise_planes.h"

// Filters `feature` and `feature_variance` in place (Rousselle et al. 2013, section 5), then fills
// `spare` with what a distance needs of the pixel it starts from: for feature f,
//     distance = (difference)^2 spare[2 f] - spare[2 f + 1].
firn_result firn_denoise_features(firn_denoise_planes* planes, int threads, firn_error* error);
