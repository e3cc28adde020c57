// SPDX-License-Identifier: MIT
// Counting the users of a key frame.
#pragma once
#include "geometry/deform/deform_sample.h"

#ifdef __cplusplus
extern "C" {
#endif

void firn_deform_key_share(const firn_deform_key* key);
void firn_deform_key_release(const firn_deform_key* key);  // the last one frees it; null is fine

#ifdef __cplusplus
}
#endif
