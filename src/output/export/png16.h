// SPDX-License-Identifier: MIT
// PNG files with one channel of 16 bits, for data.
#pragma once
#include "core/result.h"

// values: [height][width], top row first. The file appears only when it is complete.
firn_result firn_png16_write(const char* path, const uint16_t* values, int32_t width,
                             int32_t height, firn_error* error);
