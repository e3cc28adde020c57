// SPDX-License-Identifier: MIT
// Tone mapping by name: linear radiance to linear display light, 1 is the display's white.
// All but `linear` show grey of radiance 0.18 alike, so that changing the name keeps the exposure.
#pragma once
#include <math.h>

#include "math/elementary.h"
#include "render/image/tone.h"
#include "scene/data/render_block.h"

// Rows of a matrix on a colour.
FIRN_FN firn_rgb firn_tone_mix(const float m[3][3], firn_rgb c)
{
    return firn_rgb_of(m[0][0] * c.r + m[0][1] * c.g + m[0][2] * c.b,
                       m[1][0] * c.r + m[1][1] * c.g + m[1][2] * c.b,
                       m[2][0] * c.r + m[2][1] * c.g + m[2][2] * c.b);
}

// Hable 2010, Uncharted 2: a film's toe and shoulder, per channel; white at 11.2 / 3.621 = 3.1.
FIRN_FN float firn_tone_filmic(float x)
{
    const float a = 0.15f, b = 0.50f, c = 0.10f, d = 0.20f, e = 0.02f, f = 0.30f;
    return (x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f) - e / f;
}

// Hill's fit of the ACES reference rendering and sRGB output transforms, per channel.
FIRN_FN float firn_tone_aces(float v)
{
    return (v * (v + 0.0245786f) - 0.000090537f) / (v * (0.983729f * v + 0.4329510f) + 0.238081f);
}

// Wrensch's polynomial of the contrast curve of Sobotka's AgX, for 0 .. 1.
FIRN_FN float firn_tone_agx(float x)
{
    const float x2 = x * x, x4 = x2 * x2;
    return 15.5f * x4 * x2 - 40.14f * x4 * x + 31.96f * x4 - 6.868f * x2 * x + 0.4298f * x2 +
           0.1191f * x - 0.00232f;
}

// Radiance as a share of 16.5 stops about grey; its display light is encoded with gamma 2.2.
FIRN_FN float firn_tone_agx_log(float x)
{
    const double stops = firn_log_double(x > 1e-10f ? (double)x : 1e-10) * 1.4426950408889634;
    return firn_clamp01((float)((stops + 12.47393) / (4.026069 + 12.47393)));
}

FIRN_FN float firn_tone_decode_2_2(float x)
{
    return x > 0 ? (float)firn_exp_double(2.2 * firn_log_double((double)x)) : 0;
}

FIRN_FN firn_rgb firn_tone_map_aces(firn_rgb c)
{
    // sRGB to the rendering space with its desaturation, and back
    const float in[3][3] = {{0.59719f, 0.35458f, 0.04823f},
                            {0.07600f, 0.90834f, 0.01566f},
                            {0.02840f, 0.13383f, 0.83777f}};
    const float out[3][3] = {{1.60475f, -0.53108f, -0.07367f},
                             {-0.10208f, 1.10813f, -0.00605f},
                             {-0.00327f, -0.07276f, 1.07602f}};
    c = firn_tone_mix(in, firn_rgb_scale(c, 1.6831f));
    return firn_tone_mix(
        out, firn_rgb_of(firn_tone_aces(c.r), firn_tone_aces(c.g), firn_tone_aces(c.b)));
}

FIRN_FN firn_rgb firn_tone_map_agx(firn_rgb c)
{
    // inset of the primaries, and its inverse
    const float in[3][3] = {{0.84247906f, 0.07843360f, 0.07922375f},
                            {0.04232824f, 0.87846864f, 0.07916613f},
                            {0.04237565f, 0.07843360f, 0.87914297f}};
    const float out[3][3] = {{1.19687901f, -0.09802088f, -0.09902974f},
                             {-0.05289685f, 1.15190313f, -0.09896118f},
                             {-0.05297164f, -0.09804345f, 1.15107367f}};
    c = firn_tone_mix(in, firn_rgb_scale(c, 1.0071f));
    c = firn_rgb_of(firn_tone_agx(firn_tone_agx_log(c.r)), firn_tone_agx(firn_tone_agx_log(c.g)),
                    firn_tone_agx(firn_tone_agx_log(c.b)));
    c = firn_tone_mix(out, c);
    return firn_rgb_of(firn_tone_decode_2_2(c.r), firn_tone_decode_2_2(c.g),
                       firn_tone_decode_2_2(c.b));
}

// `tone`: firn_tone_name. `c`: finite.
FIRN_FN firn_rgb firn_tone_map(int32_t tone, firn_rgb c)
{
    if (tone == FIRN_TONE_SHOULDER)
        return firn_rgb_of(firn_tone_curve(c.r), firn_tone_curve(c.g), firn_tone_curve(c.b));
    if (tone == FIRN_TONE_LINEAR) return c;
    c = firn_rgb_of(c.r > 0 ? c.r : 0, c.g > 0 ? c.g : 0, c.b > 0 ? c.b : 0);
    if (tone == FIRN_TONE_ACES) return firn_tone_map_aces(c);
    if (tone == FIRN_TONE_AGX) return firn_tone_map_agx(c);
    const float white = 1 / firn_tone_filmic(11.2f);
    return firn_rgb_of(white * firn_tone_filmic(3.621f * c.r),
                       white * firn_tone_filmic(3.621f * c.g),
                       white * firn_tone_filmic(3.621f * c.b));
}
