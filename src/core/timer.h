// SPDX-License-Identifier: MIT
// Wall-clock time for progress and profiles; never enters a result.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

double firn_seconds(void);  // [s] monotonic

#ifdef __cplusplus
}
#endif
