// SPDX-License-Identifier: MIT
// Single samples so bright that no mean over a window hides them.
#pragma once
#include "render/path/denoise/denoise_planes.h"

// Cuts the light of a half where it is far beyond what both halves agree on and what the neighbours
// have: it would come out as a square of the window's size. Uses two spare planes. Borders are
// filled before and after.
void firn_denoise_outliers(firn_denoise_planes* planes, int threads);
