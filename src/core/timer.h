// SPDX-License-Identifier: MIT
// Time for progress, profiles and the division of work among ranks; never enters a result.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

double firn_seconds(void);         // [s] monotonic
double firn_thread_seconds(void);  // [s] that the calling thread has computed

#ifdef __cplusplus
}
#endif
