// SPDX-License-Identifier: MIT
// Ground of pictures: an albedo that is uneven on every scale, and haze towards the horizon. The
// preview and the path tracer draw the same floor.
#pragma once
#include "math/rgb.h"
#include "render/texture.h"

#define FIRN_GROUND_UNEVEN 0.34f  // share of the albedo that varies

// In about -0.6 .. 0.6: octaves of noise from 0.4 `scale` [m] down; those finer than `footprint`
// [m], the width of a pixel on the surface, are dropped. `flat`: a pattern of x and y only.
FIRN_FN float firn_ground_unevenness(firn_vec3 own, bool flat, firn_real scale, firn_real footprint)
{
    float sum = 0, weight = 0.16f;
    firn_real length = (firn_real)0.4 * scale;
    for (uint32_t k = 0; k < 5; k++) {
        const float seen = firn_clamp01(1.5f - 2.0f * (float)(footprint / length));
        if (seen <= 0) break;
        const firn_vec3 at = firn_v3_scale(own, 1 / length);
        const uint32_t seed = k * 0x51ed270bu + 17u;
        sum += weight * seen *
               (flat ? firn_value_noise2(seed, at.x, at.y) : firn_value_noise3(seed, at));
        weight *= 1.35f;
        length *= (firn_real)0.25;
        // rotate each octave so that the lattices do not align
        own = firn_v3((firn_real)0.8 * own.x - (firn_real)0.6 * own.y,
                      (firn_real)0.6 * own.x + (firn_real)0.8 * own.y, own.z);
    }
    return sum;
}

// Width of a pixel on a surface at distance t [m] that is seen at this cosine; `pixel`: its width
// at a distance of 1.
FIRN_FN firn_real firn_ground_footprint(firn_real pixel, firn_real t, float cosine)
{
    return pixel * t / (firn_real)sqrtf(cosine > 0.02f ? cosine : 0.02f);
}

// Share of light that the air lets through from distance t. `scale` [m]: from the eye to what it
// looks at.
FIRN_FN float firn_ground_clear(firn_real t, firn_real scale)
{
    const float far = (float)(t / (30 * scale));
    return firn_fade(far * far + 0.15f * far);
}
