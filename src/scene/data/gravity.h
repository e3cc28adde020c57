// SPDX-License-Identifier: MIT
// Gravity that changes over time, for C and CUDA.
#pragma once
#include "math/time_keys.h"
#include "math/vec3.h"

// Gravity at one time, as with temperatures (temperature.h).
typedef struct firn_gravity_key {
    double time;        // [s]
    double gravity[3];  // [m/s^2]
} firn_gravity_key;
#define FIRN_GRAVITY_KEYS_MAX 32

// What a scene says of its gravity.
typedef struct firn_gravity {
    double constant[3];  // [m/s^2] where there are no keys
    int32_t key_count;
    firn_gravity_key keys[FIRN_GRAVITY_KEYS_MAX];  // ascending in time
} firn_gravity;

// [m/s^2] at a time [s].
FIRN_FN firn_vec3 firn_gravity_value(const double constant[3], const firn_gravity_key* keys,
                                     int32_t key_count, double time)
{
    double g[3];
    for (int d = 0; d < 3; d++)
        g[d] = key_count > 0 ? firn_time_keys_at(&keys[0].time, 4, key_count, 1 + d, time)
                             : constant[d];
    return firn_v3((firn_real)g[0], (firn_real)g[1], (firn_real)g[2]);
}
