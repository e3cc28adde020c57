// SPDX-License-Identifier: MIT
// For which scale the surface of a collider is sampled, for C and CUDA.
#pragma once
#include <math.h>

#include "geometry/collider/collider.h"

// A collider that scales is sampled again when its scale changes by this.
#define FIRN_SPH_SCALE_STEP 1.05

// The scale to sample for. If the scale changes over time, it is rounded to a power of
// FIRN_SPH_SCALE_STEP, so that it depends on the pose alone.
FIRN_FN double firn_sph_sampled_scale(const firn_collider* collider)
{
    const firn_motion* motion = &collider->motion;
    const double scale = (double)collider->pose.scale, half = sqrt(FIRN_SPH_SCALE_STEP);
    bool changes = false;
    for (firn_local k = 1; motion->keys != NULL && k < motion->key_count; k++)
        changes = changes || motion->keys[k].scale != motion->keys[0].scale;
    if (!changes) return scale;
    double step = 1;
    while (step * half < scale) step *= FIRN_SPH_SCALE_STEP;
    while (step > scale * half) step /= FIRN_SPH_SCALE_STEP;
    return step;
}
