// SPDX-License-Identifier: MIT
// When the flakes of an emitter are due, for C and CUDA: number k = 0, 1, ... at
// start + (k + 1)/rate.
#pragma once
#include <math.h>

#include "math/shared.h"
#include "scene/data/emitter.h"

// [s] time at which flake k is created.
FIRN_FN double firn_flake_due_at(const firn_emitter* e, int64_t k)
{
    return e->start + (double)(k + 1) / e->rate;
}

// How many flakes of an emitter are due up to `time` [s], with its stop and limit.
FIRN_FN int64_t firn_emitter_due(const firn_emitter* e, double time)
{
    const double until = fmin(time, e->stop), most = fmin((double)e->limit, 9e15);
    const double about = floor((until - e->start) * e->rate);
    if (!(about > -1)) return 0;
    int64_t n = (int64_t)fmin(about, most);
    // The product above is rounded; firn_flake_due_at alone decides.
    while (n > 0 && firn_flake_due_at(e, n - 1) > until) n--;
    while ((double)n < most && firn_flake_due_at(e, n) <= until) n++;
    return n;
}

// [m^3] of the cube of snow that a flake is. `spacing` [m]: for emitters without a size.
FIRN_FN double firn_flake_volume(const firn_emitter* e, double spacing)
{
    const double size = e->size > 0 ? e->size : spacing;
    return size * size * size;
}
