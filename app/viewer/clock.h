// SPDX-License-Identifier: MIT
// Monotonic clock [s].
#pragma once
#include <time.h>

static inline double view_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
