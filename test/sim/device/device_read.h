// SPDX-License-Identifier: MIT
// Memory of a CUDA device for tests in C.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Copies on a stream of its own that waits for `event` (null: none) and for nothing else. False:
// CUDA refused.
bool device_read(void* to, const void* from, size_t bytes, void* event);

#ifdef __cplusplus
}
#endif
