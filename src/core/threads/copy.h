// SPDX-License-Identifier: MIT
// Large arrays, copied and cleared by all threads of the calling thread's team.
#pragma once
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// As memcpy: the arrays do not overlap. Both may be null where `bytes` is 0.
void firn_share_copy(void* to, const void* from, size_t bytes);
// Sets all bytes to 0.
void firn_share_clear(void* to, size_t bytes);

#ifdef __cplusplus
}
#endif
