// SPDX-License-Identifier: MIT
// Outlier rejection: samples so bright that no mean over a window hides them (fireflies).
#pragma once
#include "render/path/denoise/denoise_planes.h"

// Clamps pixels of a half buffer that are far brighter than what both halves agree on and than the
// neighbours: they would appear as squares of the window's size. Uses two spare planes. Borders are
// valid before and after.
void firn_denoise_outliers(firn_denoise_planes* planes);
