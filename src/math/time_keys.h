// SPDX-License-Identifier: MIT
// Values that change over time by key frames, for C and CUDA: straight between keys, constant
// before the first and after the last; two keys of the same time are a step, the second holds from
// then on.
#pragma once
#include "math/shared.h"

// A key is `stride` doubles: its time [s], then values. Writes value number `value` (from 1) at
// `time`; count > 0, times ascend.
FIRN_FN double firn_time_keys_at(const double* key, int32_t stride, int32_t count, int32_t value,
                                 double time)
{
    int32_t after = 0;  // the first key that is later
    while (after < count && key[after * stride] <= time) after++;
    if (after == 0) return key[value];
    const double* a = key + (after - 1) * stride;
    if (after == count) return a[value];
    const double* b = a + stride;
    return a[value] + (time - a[0]) / (b[0] - a[0]) * (b[value] - a[value]);
}
