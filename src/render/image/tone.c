// SPDX-License-Identifier: MIT
// The sRGB transfer function (IEC 61966-2-1) as tables, computed with additions, multiplications
// and divisions only, so that all machines get the same bits.
#include "render/image/tone.h"

// x^2.4 = x^2 * (x^(1/5))^2 for x in (0, 1]; the fifth root by Newton's method.
static double power_2_4(double x)
{
    double r = 1;
    for (int k = 0; k < 40; k++) r -= (r - x / (r * r * r * r)) / 5;
    return x * x * r * r;
}

static double decode(double s)
{
    return s <= 0.04045 ? s / 12.92 : power_2_4((s + 0.055) / 1.055);
}

float firn_tone_linear(uint8_t code)
{
    return (float)decode(code / 255.0);
}

void firn_tone_init(firn_tone* tone)
{
    int filled = 0;
    for (int code = 0; code < 256; code++) {
        // this code covers all values up to half-way to the next one
        const double end = code < 255 ? 65535.0 * decode((code + 0.5) / 255.0) : 65535.0;
        while (filled <= (int)end && filled < 65536) tone->code[filled++] = (uint8_t)code;
    }
}
