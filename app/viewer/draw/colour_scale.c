// SPDX-License-Identifier: MIT
// Colour maps in Oklab (Ottosson 2020), as lightness, chroma and hue along the scale. In `firn`,
// `heat` and `grey` lightness is linear, so that the order is visible in greyscale and with any
// colour blindness; `blue-red` is for values with a middle: darker means farther from it.
#include <math.h>

#include "viewer/draw/draw.h"

#define KNOTS 6  // equidistant

typedef struct colour_map {
    const char* name;
    float lightness[2];
    float chroma[KNOTS], hue_deg[KNOTS];  // all colours lie inside sRGB
} colour_map;

static const colour_map maps[VIEW_MAPS] = {
    [VIEW_MAP_FIRN] = {"firn",  // violet blue, teal, green, pale yellow; perceptually uniform
                       {0.30f, 0.93f},
                       {0.115f, 0.120f, 0.095f, 0.115f, 0.155f, 0.150f},
                       {300, 262, 215, 165, 130, 105}},
    [VIEW_MAP_BLUE_RED] = {"blue-red", {0.45f, 0.95f}, {0.165f}, {258, 28}},
    [VIEW_MAP_HEAT] = {"heat",  // black, red, orange, yellow, white
                       {0.16f, 0.97f},
                       {0.02f, 0.11f, 0.16f, 0.145f, 0.12f, 0.02f},
                       {22, 26, 36, 62, 96, 106}},
    [VIEW_MAP_GREY] = {"grey", {0.20f, 0.97f}, {0}, {0}},
};

const char* view_map_name(view_map map)
{
    return maps[map].name;
}

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

void view_scale_colour(view_map map, float at, float out_colour[3])
{
    const colour_map* t = &maps[map];
    const float s = at > 0 ? (at < 1 ? at : 1) : 0;  // NaN: 0
    const float away = fabsf(2 * s - 1);             // from the middle
    const bool diverges = map == VIEW_MAP_BLUE_RED;
    const float bright = diverges ? 1 - away : s;
    const float L = t->lightness[0] + (t->lightness[1] - t->lightness[0]) * bright;
    const float C = diverges ? t->chroma[0] * away : at_knots(t->chroma, s);
    const float degrees = diverges ? t->hue_deg[s < 0.5f ? 0 : 1] : at_knots(t->hue_deg, s);
    const float h = degrees * (3.14159265f / 180);
    const float a = C * cosf(h), b = C * sinf(h);
    // Oklab to linear sRGB: Ottosson's matrices.
    const float l = powf(L + 0.3963377774f * a + 0.2158037573f * b, 3);
    const float m = powf(L - 0.1055613458f * a - 0.0638541728f * b, 3);
    const float n = powf(L - 0.0894841775f * a - 1.2914855480f * b, 3);
    out_colour[0] = encode(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * n);
    out_colour[1] = encode(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * n);
    out_colour[2] = encode(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * n);
}
