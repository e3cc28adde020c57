// SPDX-License-Identifier: MIT
// Pictures on a CUDA device.
#pragma once
#include "render/path/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

// In builds without CUDA it refuses every picture.
extern const firn_picture_machine firn_picture_on_cuda;

#ifdef __cplusplus
}
#endif
