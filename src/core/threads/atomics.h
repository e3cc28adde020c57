// SPDX-License-Identifier: MIT
// Results that all parts of a shared loop write, and that do not depend on their order.
#pragma once
#include "firn/types.h"

// *least = min(*least, value). Cheap when the value is not less.
static inline void firn_atomic_min(firn_local* least, firn_local value)
{
    firn_local now = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (value < now && !__atomic_compare_exchange_n(least, &now, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {}
}

static inline void firn_atomic_or(int* bits, int more)
{
    if ((__atomic_load_n(bits, __ATOMIC_RELAXED) & more) != more)
        __atomic_fetch_or(bits, more, __ATOMIC_RELAXED);
}

static inline void firn_atomic_or64(uint64_t* bits, uint64_t more)
{
    if ((__atomic_load_n(bits, __ATOMIC_RELAXED) & more) != more)
        __atomic_fetch_or(bits, more, __ATOMIC_RELAXED);
}

// Gives the sum before.
static inline int64_t firn_atomic_add(int64_t* sum, int64_t more)
{
    return __atomic_fetch_add(sum, more, __ATOMIC_RELAXED);
}

// *least = min(*least, value), *most = max(*most, value); a NaN is neither less nor greater.
static inline void firn_atomic_min_double(double* least, double value)
{
    double now;
    __atomic_load(least, &now, __ATOMIC_RELAXED);
    while (value < now && !__atomic_compare_exchange(least, &now, &value, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED)) {}
}

static inline void firn_atomic_max_double(double* most, double value)
{
    double now;
    __atomic_load(most, &now, __ATOMIC_RELAXED);
    while (value > now && !__atomic_compare_exchange(most, &now, &value, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED)) {}
}

// *most = max(*most, value); a NaN is not greater than anything.
static inline void firn_atomic_max(firn_real* most, firn_real value)
{
    firn_real now;
    __atomic_load(most, &now, __ATOMIC_RELAXED);
    while (value > now && !__atomic_compare_exchange(most, &now, &value, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED)) {}
}
