// SPDX-License-Identifier: MIT
// The sky of Preetham, Shirley and Smits 1999, A Practical Analytic Model for Daylight: luminance
// and chromaticity by the formula of Perez et al. 1993, whose coefficients are linear in turbidity
// (appendix A.2). Coefficients and the sun's light are computed by daylight_scene.c.
//
// Holds for turbidities of 2 to 10 and a sun above the horizon. Known of the model: too bright
// opposite the sun, and no light from the ground (Zotti, Wilkie and Purgathofer 2007).
#pragma once
#include <math.h>

#include "math/elementary.h"
#include "math/rgb.h"
#include "math/vec3.h"

typedef struct firn_sun_sky {
    float perez[3][5];  // A, B, C, D, E of luminance Y and chromaticities x, y
    float zenith[3];    // Y [radiance of daylight.h], x, y, each divided by F(0, sun's angle)
    bool on;            // else the sky is the gradient of daylight.h
} firn_sun_sky;

#define FIRN_SUN_SKY_LEAST_COSINE 0.01  // B / cosine: the horizon itself

// Eq. 3 for the cosine of the zenith angle, and the angle from the sun and its cosine.
FIRN_FN double firn_sun_sky_perez(const float k[5], double cosine, double gamma, double cos_gamma)
{
    if (!(cosine > FIRN_SUN_SKY_LEAST_COSINE)) cosine = FIRN_SUN_SKY_LEAST_COSINE;
    return (1 + (double)k[0] * firn_exp_double((double)k[1] / cosine)) *
           (1 + (double)k[2] * firn_exp_double((double)k[3] * gamma) +
            (double)k[4] * cos_gamma * cos_gamma);
}

// Linear sRGB of CIE XYZ (IEC 61966-2-1); colours outside of it lose what is negative.
FIRN_FN firn_rgb firn_sun_sky_rgb(double X, double Y, double Z)
{
    const double r = 3.2404542 * X - 1.5371385 * Y - 0.4985314 * Z;
    const double g = -0.9692660 * X + 1.8760108 * Y + 0.0415560 * Z;
    const double b = 0.0556434 * X - 0.2040259 * Y + 1.0572252 * Z;
    return firn_rgb_of((float)(r > 0 ? r : 0), (float)(g > 0 ? g : 0), (float)(b > 0 ? b : 0));
}

// Radiance in direction d (unit, d.y >= 0), without the sun's disc.
FIRN_FN firn_rgb firn_sun_sky_radiance(const firn_sun_sky* s, firn_vec3 sun, firn_vec3 d)
{
    const double c = (double)firn_v3_dot(d, sun);
    const double cos_gamma = c < -1 ? -1 : c < 1 ? c : 1;
    const double gamma = firn_atan2_double(sqrt(1 - cos_gamma * cos_gamma), cos_gamma);
    double v[3];
    for (int i = 0; i < 3; i++)
        v[i] =
            (double)s->zenith[i] * firn_sun_sky_perez(s->perez[i], (double)d.y, gamma, cos_gamma);
    const double x = v[1], y = v[2], scale = v[0] / y;
    return firn_sun_sky_rgb(x * scale, v[0], (1 - x - y) * scale);
}
