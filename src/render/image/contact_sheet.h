// SPDX-License-Identifier: MIT
// Several pictures on one: the frames of a film at a glance.
#pragma once
#include "core/result.h"

// Reads `count` PNG pictures of equal size, makes each `scale` (0 < scale <= 1) times as large and
// sets them in rows of `columns` with a narrow gap around each. `out_path` is written atomically.
// Refused: no pictures, unequal sizes, a scale that leaves less than a pixel, a sheet over
// FIRN_IMAGE_SIDE_MAX pixels a side.
firn_result firn_contact_sheet_write(const char* const* paths, firn_local count, int columns,
                                     double scale, const char* out_path, firn_error* error);
