// SPDX-License-Identifier: MIT
// Feature buffers (depth, normal, albedo) of the denoiser. They are denoised first, because noise
// in a feature separates similar pixels.
#pragma once
#include "render/path/denoise/denoise_planes.h"

// Filters `feature` and `feature_variance` in place (Rousselle et al. 2013, section 5), then fills
// `spare` with per-pixel coefficients of the feature distance: for feature f,
//     distance = (difference)^2 spare[2 f] - spare[2 f + 1].
firn_result firn_denoise_features(firn_denoise_planes* planes, firn_error* error);
