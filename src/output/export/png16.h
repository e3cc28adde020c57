// SPDX-License-Identifier: MIT
// PNG files of one channel with 16 bits: numbers for programs, not colours for eyes.
#pragma once
#include "core/result.h"

// values: [height][width], upper row first. Appears whole or not at all.
firn_result firn_png16_write(const char* path, const uint16_t* values, int32_t width,
                             int32_t height, firn_error* error);
