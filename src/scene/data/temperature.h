// SPDX-License-Identifier: MIT
// A temperature that changes over time, for C and CUDA.
#pragma once
#include "math/shared.h"

// The temperature at one time. Straight between keys, constant before the first and after the last;
// two keys of the same time are a step, the second holds from then on.
typedef struct firn_temperature_key {
    double time;         // [s]
    double temperature;  // [degC]
} firn_temperature_key;
#define FIRN_TEMPERATURE_KEYS_MAX 64

// At `time` [degC]; count > 0, times ascend.
FIRN_FN double firn_temperature_at(const firn_temperature_key* key, int32_t count, double time)
{
    int32_t after = 0;  // the first key that is later
    while (after < count && key[after].time <= time) after++;
    if (after == 0) return key[0].temperature;
    if (after == count) return key[count - 1].temperature;
    const firn_temperature_key *a = &key[after - 1], *b = &key[after];
    const double share = (time - a->time) / (b->time - a->time);
    return a->temperature + share * (b->temperature - a->temperature);
}
