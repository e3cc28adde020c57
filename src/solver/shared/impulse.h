// SPDX-License-Identifier: MIT
// What a collider takes from the snow in a step: impulse and angular impulse, for C and CUDA.
//
// Sums are integers, so that they do not depend on the order of the additions: they are the same
// for any number of threads, in plain loops and SIMD batches, and with atomics on a GPU.
//
//     impulse  [N s]    (high + low 2^-36) 2^-30    up to 8e9 N s,     resolution 1e-20 N s
//     angular  [N m s]  (high + low 2^-36) 2^-24    up to 5e11 N m s,  resolution 9e-19 N m s
//
// The bounds are those of a step; a billion kilograms that rest give 1e8 N s in 10 ms.
#pragma once
#include <stdint.h>

#include "math/vec3.h"

#define FIRN_IMPULSE_SUMS 7

typedef struct firn_impulse {
    // two's complement; impulse x y z, angular x y z, weight [kg] (see loads.h)
    uint64_t high[FIRN_IMPULSE_SUMS], low[FIRN_IMPULSE_SUMS];
} firn_impulse;

FIRN_FN void firn_impulse_add_integer(uint64_t* sum, int64_t value)
{
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long*)sum, (unsigned long long)value);
#else
    *sum += (uint64_t)value;
#endif
}

// The two integers of a value that is a number, in units of 2^-30 N s, 2^-24 N m s or 2^-24 kg.
// Values beyond the bounds are cut off: only steps that diverge have them.
FIRN_FN void firn_impulse_split(double value, int64_t* out_high, int64_t* out_low)
{
    const double most = 4611686018427387904.0;  // 2^62
    const double bounded = value > most ? most : value < -most ? -most : value;
    *out_high = (int64_t)bounded;
    *out_low = (int64_t)((bounded - (double)*out_high) * 0x1p36);
}

// Component k grows by `value`, in these units.
FIRN_FN void firn_impulse_add_units(firn_impulse* sum, int k, double value)
{
    int64_t high, low;
    if (!(value == value)) return;
    firn_impulse_split(value, &high, &low);
    firn_impulse_add_integer(&sum->high[k], high);
    firn_impulse_add_integer(&sum->low[k], low);
}

// Adds an angular impulse without a force [N m s].
FIRN_FN_APART void firn_impulse_turn(firn_impulse* sum, double x, double y, double z)
{
    firn_impulse_add_units(sum, 3, x * 0x1p24);
    firn_impulse_add_units(sum, 4, y * 0x1p24);
    firn_impulse_add_units(sum, 5, z * 0x1p24);
}

// Adds an impulse [N s] that acts at `arm` [m] from the point that angular impulses are about.
FIRN_FN_APART void firn_impulse_add(firn_impulse* sum, firn_vec3 arm, double x, double y, double z)
{
    const double rx = (double)arm.x, ry = (double)arm.y, rz = (double)arm.z;
    firn_impulse_add_units(sum, 0, x * 0x1p30);
    firn_impulse_add_units(sum, 1, y * 0x1p30);
    firn_impulse_add_units(sum, 2, z * 0x1p30);
    firn_impulse_turn(sum, ry * z - rz * y, rz * x - rx * z, rx * y - ry * x);
}

// Adds what snow of `mass` loses when its velocity changes.
FIRN_FN void firn_impulse_take(firn_impulse* sum, firn_vec3 arm, firn_real mass, firn_vec3 before,
                               firn_vec3 after)
{
    const double m = (double)mass;
    firn_impulse_add(sum, arm, m * ((double)before.x - (double)after.x),
                     m * ((double)before.y - (double)after.y),
                     m * ((double)before.z - (double)after.z));
}

// Adds to the weight [kg].
FIRN_FN void firn_impulse_weigh(firn_impulse* sum, firn_real mass)
{
    firn_impulse_add_units(sum, 6, (double)mass * 0x1p24);
}

// Adds the sums of another.
FIRN_FN void firn_impulse_join(firn_impulse* sum, const firn_impulse* other)
{
    for (int k = 0; k < FIRN_IMPULSE_SUMS; k++) {
        firn_impulse_add_integer(&sum->high[k], (int64_t)other->high[k]);
        firn_impulse_add_integer(&sum->low[k], (int64_t)other->low[k]);
    }
}

// Component k [N s], [N m s], [kg].
FIRN_FN double firn_impulse_value(const firn_impulse* sum, int k)
{
    const double high = (double)(int64_t)sum->high[k], low = (double)(int64_t)sum->low[k];
    return (high + low * 0x1p-36) * (k < 3 ? 0x1p-30 : 0x1p-24);
}
