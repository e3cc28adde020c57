// SPDX-License-Identifier: MIT
// From light to bytes: a filmic curve and sRGB.
#pragma once
#include "render/image/colour.h"

typedef struct firn_tone {
    uint8_t code[65536];  // sRGB byte of linear value i / 65535
} firn_tone;

void firn_tone_init(firn_tone* tone);
// Linear value 0..1 that byte `code` stands for.
float firn_tone_linear(uint8_t code);

// Bends bright light into the range of a screen: nearly straight up to middle tones, then a
// shoulder that keeps the structure of sunlit snow; 1.0 is reached at `white`. Extended Reinhard
// curve (Reinhard et al. 2002, eq. 4) on each band, with its slope at 0 as exposure.
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
