// SPDX-License-Identifier: MIT
// Pictures on surfaces: where on them a point lies, and their colour there. For C and CUDA.
#pragma once
#include <math.h>

#include "math/rgb.h"

typedef enum firn_paint_wrap {  // beyond 0..1
    FIRN_PAINT_REPEAT,
    FIRN_PAINT_CLAMP,
    FIRN_PAINT_MIRROR
} firn_paint_wrap;

typedef struct firn_rgb16 {
    uint16_t r, g, b, unused;  // linear; 65535 is 1
} firn_rgb16;

typedef struct firn_paint_picture {
    int64_t first;  // of its texels, the top row first
    int32_t width, height;
    int32_t wrap[2];  // firn_paint_wrap along u and v
} firn_paint_picture;

// Texel `i` of a side of `size`, which may lie beyond it.
FIRN_FN int32_t firn_paint_wrapped(int32_t i, int32_t size, int32_t wrap)
{
    if (wrap == FIRN_PAINT_CLAMP) return i < 0 ? 0 : i < size ? i : size - 1;
    const int32_t period = wrap == FIRN_PAINT_MIRROR ? 2 * size : size;
    const int32_t rest = i % period, k = rest < 0 ? rest + period : rest;
    return k < size ? k : 2 * size - 1 - k;
}

FIRN_FN firn_rgb firn_paint_texel(const firn_paint_picture* p, const firn_rgb16* texels, int32_t x,
                                  int32_t y)
{
    const int32_t i = firn_paint_wrapped(x, p->width, p->wrap[0]);
    const int32_t j = firn_paint_wrapped(y, p->height, p->wrap[1]);
    const firn_rgb16 t = texels[p->first + (int64_t)j * p->width + i];
    const float one = 1.0f / 65535;
    return firn_rgb_of((float)t.r * one, (float)t.g * one, (float)t.b * one);
}

// Bilinear. (0, 0) is the upper left corner, as in glTF. Far outside, where floats resolve no
// texel, it is as at 0.
FIRN_FN firn_rgb firn_paint_sample(const firn_paint_picture* p, const firn_rgb16* texels, float u,
                                   float v)
{
    if (!(fabsf(u) < 1e4f && fabsf(v) < 1e4f)) u = v = 0;
    const float x = u * (float)p->width - 0.5f, y = v * (float)p->height - 0.5f;
    const float i = floorf(x), j = floorf(y);
    const int32_t a = (int32_t)i, b = (int32_t)j;
    const firn_rgb top = firn_rgb_mix(firn_paint_texel(p, texels, a, b),
                                      firn_paint_texel(p, texels, a + 1, b), x - i);
    const firn_rgb low = firn_rgb_mix(firn_paint_texel(p, texels, a, b + 1),
                                      firn_paint_texel(p, texels, a + 1, b + 1), x - i);
    return firn_rgb_mix(top, low, y - j);
}

// What a triangle with these coordinates at its corners has at barycentric weights u and v of the
// second and third.
FIRN_FN firn_rgb firn_paint_on_triangle(const firn_paint_picture* p, const firn_rgb16* texels,
                                        const float uv[3][2], float u, float v)
{
    const float w = 1 - u - v;
    return firn_paint_sample(p, texels, w * uv[0][0] + u * uv[1][0] + v * uv[2][0],
                             w * uv[0][1] + u * uv[1][1] + v * uv[2][1]);
}
