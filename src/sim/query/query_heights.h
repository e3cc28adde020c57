// SPDX-License-Identifier: MIT
// Height fields that are kept (firn/query.h), for particles of a simulation or of a frame.
#pragma once
#include "state/surface/height_map.h"

// As firn_heights_update, for any particles. FIRN_BROKEN_MEMORY: update it again.
firn_result firn_heights_follow(firn_heights* heights, const firn_height_snow* snow,
                                firn_rect* out_dirty, firn_error* error);
