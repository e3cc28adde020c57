// SPDX-License-Identifier: MIT
// A small periodic bump texture that is applied to each particle's splat with an offset of its own:
// detail finer than particles that moves with them.
#pragma once
#include "math/rgb.h"

#define FIRN_STAMP_SIDE 64  // texels, a power of two; the texture repeats

typedef struct firn_stamp_texel {
    float height;            // about -1..1
    float slope_x, slope_y;  // about -1..1
} firn_stamp_texel;

typedef struct firn_stamp {
    firn_stamp_texel texel[FIRN_STAMP_SIDE * FIRN_STAMP_SIDE];
} firn_stamp;

void firn_stamp_init(firn_stamp* stamp);

// Bilinear lookup at (u, v) in -1..1 over the particle's disc, which is 20 texels wide; `id` sets
// the offset.
FIRN_FN firn_stamp_texel firn_stamp_at(const firn_stamp* stamp, uint32_t id, float u, float v)
{
    const uint32_t last = FIRN_STAMP_SIDE - 1;
    const float x = u * 10 + 32, y = v * 10 + 32;
    const uint32_t i = (uint32_t)(int32_t)x, j = (uint32_t)(int32_t)y;
    const float f = x - (float)i, g = y - (float)j;
    const uint32_t i0 = (i + id) & last, i1 = (i + id + 1) & last;
    const firn_stamp_texel* low = stamp->texel + ((j + (id >> 8)) & last) * FIRN_STAMP_SIDE;
    const firn_stamp_texel* high = stamp->texel + ((j + (id >> 8) + 1) & last) * FIRN_STAMP_SIDE;
    const float a = (1 - f) * (1 - g), b = f * (1 - g), c = (1 - f) * g, d = f * g;
    return FIRN_LIT(firn_stamp_texel){
        a * low[i0].height + b * low[i1].height + c * high[i0].height + d * high[i1].height,
        a * low[i0].slope_x + b * low[i1].slope_x + c * high[i0].slope_x + d * high[i1].slope_x,
        a * low[i0].slope_y + b * low[i1].slope_y + c * high[i0].slope_y + d * high[i1].slope_y};
}
