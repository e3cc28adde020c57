// SPDX-License-Identifier: MIT
// Tone mapping: linear light to sRGB codes.
#pragma once
#include "math/rgb.h"

typedef struct firn_tone {
    uint8_t code[65536];  // sRGB byte of linear value i / 65535
} firn_tone;

void firn_tone_init(firn_tone* tone);
// Linear value 0..1 of sRGB code `code`.
float firn_tone_linear(uint8_t code);

// Tone curve: nearly linear up to mid-tones, then a shoulder that keeps the contrast of sunlit
// snow. Reinhard's curve (Reinhard et al. 2002, eq. 3) per channel, scaled so that 1 is
// reached at a radiance of 1.54; the slope at 0 is the exposure.
FIRN_FN float firn_tone_curve(float x)
{
    const float e = 1.35f * (x > 0 ? x : 0);
    return e / (1 + 0.52f * e);
}

FIRN_FN uint8_t firn_tone_code(const firn_tone* tone, float linear)
{
    // written so that NaN gives 0
    const float s = linear > 0 ? linear * 65535.0f + 0.5f : 0;
    return tone->code[s < 65535.0f ? (int)s : 65535];
}
