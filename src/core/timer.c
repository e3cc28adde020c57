// SPDX-License-Identifier: MIT
// Wall-clock time for progress and profiles; never enters a result.
#include "core/timer.h"

#include <time.h>

double firn_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
