// SPDX-License-Identifier: MIT
// Contact sheets: several pictures in a grid on one picture.
#pragma once
#include "core/result.h"

// Reads `count` PNG pictures of equal size, scales each by `scale` (0 < scale <= 1) and places them
// in rows of `columns` with a narrow gap around each. `out_path` is written atomically.
// Refused: no pictures, unequal sizes, a scale that leaves less than a pixel, a sheet over
// FIRN_IMAGE_SIDE_MAX pixels a side.
firn_result firn_contact_sheet_write(const char* const* paths, firn_local count, int columns,
                                     double scale, const char* out_path, firn_error* error);
