// SPDX-License-Identifier: MIT
// The colour scale: from violet blue over teal and green to pale yellow, perceptually uniform in
// Oklab (Ottosson 2020). Lightness is linear, so that the order is visible in greyscale and with
// any colour blindness.
#include <math.h>

#include "viewer/draw/draw.h"

// Chroma and hue at equidistant knots. The hue is monotone; all colours lie inside sRGB.
#define KNOTS 6
static const float chroma[KNOTS] = {0.115f, 0.120f, 0.095f, 0.115f, 0.155f, 0.150f};
static const float hue_deg[KNOTS] = {300, 262, 215, 165, 130, 105};
static const float lightness[2] = {0.30f, 0.93f};

static float at_knots(const float* values, float at)
{
    const float s = at * (KNOTS - 1);
    const int k = s < KNOTS - 2 ? (int)s : KNOTS - 2;
    return values[k] + (values[k + 1] - values[k]) * (s - (float)k);
}

static float encode(float x)
{
    if (!(x > 0)) return 0;
    if (x > 1) return 1;
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

void view_scale_colour(float at, float out_colour[3])
{
    const float s = at > 0 ? (at < 1 ? at : 1) : 0;  // NaN: 0
    const float L = lightness[0] + (lightness[1] - lightness[0]) * s;
    const float C = at_knots(chroma, s);
    const float h = at_knots(hue_deg, s) * (3.14159265f / 180);
    const float a = C * cosf(h), b = C * sinf(h);
    // Oklab to linear sRGB: Ottosson's matrices.
    const float l = powf(L + 0.3963377774f * a + 0.2158037573f * b, 3);
    const float m = powf(L - 0.1055613458f * a - 0.0638541728f * b, 3);
    const float n = powf(L - 0.0894841775f * a - 1.2914855480f * b, 3);
    out_colour[0] = encode(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * n);
    out_colour[1] = encode(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * n);
    out_colour[2] = encode(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * n);
}
