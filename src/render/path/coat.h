// SPDX-License-Identifier: MIT
// How much of the light a rough dielectric coat (GGX) reflects in all directions together: what is
// left for the base under it. E = F0 A + B with Schlick's Fresnel, A and B by quadrature over the
// normals that are seen, raised until straight lines between the rows lie nowhere below E (by up to
// 0.1 at grazing angles, by less than 0.01 elsewhere): coat and base never reflect more than 1.
#pragma once
#include <math.h>

#include "math/shared.h"

#define FIRN_COAT_STEPS 10
// [roughness 0, 0.1 .. 1][square root of the cosine 0, 0.1 .. 1; last: mean over the hemisphere]
typedef float firn_coat_table[FIRN_COAT_STEPS + 1][FIRN_COAT_STEPS + 2];

// clang-format off
static const firn_coat_table firn_coat_a = {
    {0.008f, 0.049f, 0.185f, 0.376f, 0.582f, 0.763f, 0.893f, 0.965f, 0.994f, 1.000f, 1.000f, 0.9507f},
    {0.154f, 0.124f, 0.206f, 0.383f, 0.584f, 0.763f, 0.892f, 0.965f, 0.994f, 1.000f, 1.000f, 0.9509f},
    {0.385f, 0.363f, 0.348f, 0.437f, 0.599f, 0.762f, 0.887f, 0.961f, 0.991f, 0.998f, 1.000f, 0.9503f},
    {0.577f, 0.565f, 0.541f, 0.555f, 0.634f, 0.754f, 0.865f, 0.939f, 0.976f, 0.987f, 0.991f, 0.9402f},
    {0.714f, 0.705f, 0.685f, 0.675f, 0.695f, 0.753f, 0.828f, 0.894f, 0.936f, 0.958f, 0.968f, 0.9130f},
    {0.806f, 0.795f, 0.774f, 0.754f, 0.747f, 0.759f, 0.791f, 0.832f, 0.869f, 0.897f, 0.916f, 0.8633f},
    {0.864f, 0.851f, 0.823f, 0.794f, 0.770f, 0.756f, 0.755f, 0.765f, 0.783f, 0.804f, 0.824f, 0.7905f},
    {0.901f, 0.883f, 0.846f, 0.805f, 0.767f, 0.734f, 0.710f, 0.694f, 0.688f, 0.690f, 0.698f, 0.6994f},
    {0.924f, 0.901f, 0.852f, 0.798f, 0.744f, 0.695f, 0.652f, 0.617f, 0.588f, 0.568f, 0.555f, 0.5990f},
    {0.938f, 0.909f, 0.847f, 0.778f, 0.709f, 0.644f, 0.586f, 0.534f, 0.490f, 0.452f, 0.420f, 0.4989f},
    {0.947f, 0.911f, 0.835f, 0.750f, 0.666f, 0.587f, 0.515f, 0.452f, 0.396f, 0.348f, 0.307f, 0.4070f},
};
static const firn_coat_table firn_coat_b = {
    {0.958f, 1.044f, 0.862f, 0.634f, 0.418f, 0.237f, 0.107f, 0.035f, 0.006f, 0.000f, 0.000f, 0.0496f},
    {0.848f, 0.827f, 0.803f, 0.631f, 0.425f, 0.239f, 0.109f, 0.035f, 0.006f, 0.000f, 0.000f, 0.0497f},
    {0.628f, 0.602f, 0.550f, 0.506f, 0.379f, 0.230f, 0.112f, 0.039f, 0.010f, 0.004f, 0.004f, 0.0492f},
    {0.431f, 0.418f, 0.382f, 0.333f, 0.268f, 0.184f, 0.102f, 0.042f, 0.012f, 0.004f, 0.003f, 0.0409f},
    {0.291f, 0.283f, 0.257f, 0.221f, 0.176f, 0.124f, 0.073f, 0.034f, 0.014f, 0.008f, 0.004f, 0.0316f},
    {0.197f, 0.194f, 0.172f, 0.147f, 0.115f, 0.081f, 0.049f, 0.024f, 0.013f, 0.008f, 0.006f, 0.0231f},
    {0.141f, 0.134f, 0.116f, 0.098f, 0.076f, 0.053f, 0.033f, 0.017f, 0.007f, 0.006f, 0.005f, 0.0156f},
    {0.104f, 0.099f, 0.082f, 0.067f, 0.051f, 0.036f, 0.022f, 0.012f, 0.005f, 0.002f, 0.002f, 0.0098f},
    {0.084f, 0.076f, 0.059f, 0.047f, 0.035f, 0.024f, 0.015f, 0.008f, 0.003f, 0.001f, 0.000f, 0.0062f},
    {0.070f, 0.061f, 0.045f, 0.034f, 0.024f, 0.016f, 0.009f, 0.005f, 0.002f, 0.001f, 0.000f, 0.0041f},
    {0.063f, 0.053f, 0.035f, 0.026f, 0.017f, 0.011f, 0.006f, 0.003f, 0.001f, 0.000f, 0.000f, 0.0028f},
};
// clang-format on

// Between columns j and j + 1 at `y` of the row at `roughness`, for reflectance `specular` at
// normal incidence.
FIRN_FN float firn_coat_between(float roughness, float specular, int j, float y)
{
    const float x = FIRN_COAT_STEPS * (roughness < 0 ? 0.0f : roughness < 1 ? roughness : 1.0f);
    const int i = x < FIRN_COAT_STEPS ? (int)x : FIRN_COAT_STEPS - 1;
    float row[2];
    for (int k = 0; k < 2; k++) {
        const float *a = firn_coat_a[i + k], *b = firn_coat_b[i + k];
        row[k] = (1 - y) * (specular * a[j] + b[j]) + y * (specular * a[j + 1] + b[j + 1]);
    }
    const float e = row[0] + (x - (float)i) * (row[1] - row[0]);
    return e < 1 ? e : 1.0f;
}

// E for light that leaves at `cosine` to the normal.
FIRN_FN float firn_coat_albedo(float roughness, float specular, float cosine)
{
    const float y = FIRN_COAT_STEPS * sqrtf(cosine < 0 ? 0.0f : cosine < 1 ? cosine : 1.0f);
    const int j = y < FIRN_COAT_STEPS ? (int)y : FIRN_COAT_STEPS - 1;
    return firn_coat_between(roughness, specular, j, y - (float)j);
}

// Its mean over the hemisphere, weighted by the cosine.
FIRN_FN float firn_coat_mean(float roughness, float specular)
{
    return firn_coat_between(roughness, specular, FIRN_COAT_STEPS, 1);
}
