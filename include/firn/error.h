// SPDX-License-Identifier: MIT
// The sentence of the last error.
#pragma once
#include "firn/export.h"

#ifdef __cplusplus
extern "C" {
#endif

// Get the sentence of the last call of a function that returns a firn_result on this thread: what
// is wrong, where, the offending value, what to do; "" if it succeeded. Borrowed until the next
// call on this thread. A scene that cannot be loaded may have several mistakes: firn_scene_messages
// lists all of them. firn_sim_error and a firn_error that was passed hold the same sentence.
FIRN_API const char* firn_last_error(void);

#ifdef __cplusplus
}
#endif
