// SPDX-License-Identifier: MIT
// Loses the GPU as a fault of the hardware would: from then on every call of CUDA in this process
// fails.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// False: CUDA did not fail.
bool device_lose(void);

#ifdef __cplusplus
}
#endif
