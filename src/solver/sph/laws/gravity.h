// SPDX-License-Identifier: MIT
// Gravity in a step, for C and CUDA.
#pragma once
#include "scene/data/gravity.h"

// Gravity at the middle of the step; it grows within `rise` [s].
FIRN_FN firn_vec3 firn_sph_gravity(const double g[3], double rise, double time, double dt)
{
    const double middle = time + 0.5 * dt, share = middle < rise ? middle / rise : 1;
    return firn_v3((firn_real)(share * g[0]), (firn_real)(share * g[1]), (firn_real)(share * g[2]));
}

// The same of gravity over time: the rise is a factor on its keys.
FIRN_FN firn_vec3 firn_sph_gravity_at(const firn_gravity* gravity, double rise, double time,
                                      double dt)
{
    if (gravity->key_count == 0) return firn_sph_gravity(gravity->constant, rise, time, dt);
    const firn_vec3 g =
        firn_gravity_value(gravity->constant, gravity->keys, gravity->key_count, time + 0.5 * dt);
    const double keyed[3] = {(double)g.x, (double)g.y, (double)g.z};
    return firn_sph_gravity(keyed, rise, time, dt);
}
