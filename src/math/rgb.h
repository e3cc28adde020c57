// SPDX-License-Identifier: MIT
// Linear RGB (Rec. 709 primaries), and a cheap exponential for transmittance.
#pragma once
#include "math/shared.h"

typedef struct firn_rgb {
    float r, g, b;
} firn_rgb;

FIRN_FN firn_rgb firn_rgb_of(float r, float g, float b)
{
    return FIRN_LIT(firn_rgb){r, g, b};
}

FIRN_FN firn_rgb firn_rgb_add(firn_rgb a, firn_rgb b)
{
    return firn_rgb_of(a.r + b.r, a.g + b.g, a.b + b.b);
}

FIRN_FN firn_rgb firn_rgb_scale(firn_rgb a, float s)
{
    return firn_rgb_of(a.r * s, a.g * s, a.b * s);
}

FIRN_FN firn_rgb firn_rgb_mul(firn_rgb a, firn_rgb b)
{
    return firn_rgb_of(a.r * b.r, a.g * b.g, a.b * b.b);
}

// a + s b
FIRN_FN firn_rgb firn_rgb_madd(firn_rgb a, float s, firn_rgb b)
{
    return firn_rgb_of(a.r + s * b.r, a.g + s * b.g, a.b + s * b.b);
}

// a at s = 0, b at s = 1
FIRN_FN firn_rgb firn_rgb_mix(firn_rgb a, firn_rgb b, float s)
{
    return firn_rgb_of(a.r + (b.r - a.r) * s, a.g + (b.g - a.g) * s, a.b + (b.b - a.b) * s);
}

// Relative luminance (Rec. 709).
FIRN_FN float firn_rgb_luminance(firn_rgb a)
{
    return 0.2126f * a.r + 0.7152f * a.g + 0.0722f * a.b;
}

FIRN_FN float firn_clamp01(float x)
{
    return x < 0 ? 0.0f : x < 1 ? x : 1.0f;
}

// Smoothstep: 0 below `low`, 1 above `high`.
FIRN_FN float firn_smooth_between(float low, float high, float x)
{
    const float s = firn_clamp01((x - low) / (high - low));
    return s * s * (3 - 2 * s);
}

// e^-x for x >= 0, with an error of 3e-4 absolute and of 5 % up to x = 6. The eighth power of a
// cubic for e^(x/8) costs a quarter of an exact one, and is never negative or non-finite.
FIRN_FN float firn_fade(float x)
{
    const float u = 0.125f * x;
    float y = 1.0f + u * (1.0f + u * (0.5f + u * (1.0f / 6.0f)));
    y *= y;
    y *= y;
    y *= y;
    return 1.0f / y;
}
