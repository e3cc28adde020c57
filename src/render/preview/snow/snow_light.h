// SPDX-License-Identifier: MIT
// Multiply scattered light in the snow, solved once per picture: the mean radiance u of every mid
// cell (two voxels wide) with snow, by diffusion (snow_medium.h) of the light that sun, sky and
// other snow surfaces send to the surface.
//
//   below    [block][6^3]: u w and w; weight w = 1 at surfaces, small inside, 0 in the air, so that
//            interpolation uses cells with snow only
//   surface  the same for the exitant radiance of surfaces; w = 0 inside
//   coarse   [window]: occupancy times radiance of the block's surfaces, and occupancy
#pragma once
#include "math/rgb.h"
#include "render/preview/snow/snow_sample.h"

typedef struct firn_snow_light {
    float (*below)[4];    // owned; null before the first round
    float (*surface)[4];  // owned
    float (*coarse)[4];   // owned
} firn_snow_light;

struct firn_view;
// Fills view->light from the rest of the view. Bitwise equal for any number of threads.
firn_result firn_snow_light_build(struct firn_view* view, firn_error* error);
void firn_snow_light_destroy(firn_snow_light* light);

// Trilinear interpolation of 4-vectors at (x, y, z) in a cube with rows of n and slices of `slice`
// values.
FIRN_FN void firn_snow_mix4(const float (*c)[4], int64_t n, int64_t slice, float x, float y,
                            float z, float out[4])
{
    const int32_t i = (int32_t)x, j = (int32_t)y, k = (int32_t)z;
    const float u = x - (float)i, w = y - (float)j, t = z - (float)k;
    const float(*a)[4] = c + (k * slice + j * n + i);
    const float(*b)[4] = a + slice;
    for (int q = 0; q < 4; q++) {
        const float a0 = a[0][q] + (a[1][q] - a[0][q]) * u,
                    a1 = a[n][q] + (a[n + 1][q] - a[n][q]) * u;
        const float b0 = b[0][q] + (b[1][q] - b[0][q]) * u,
                    b1 = b[n][q] + (b[n + 1][q] - b[n][q]) * u;
        const float e0 = a0 + (a1 - a0) * w, e1 = b0 + (b1 - b0) * w;
        out[q] = e0 + (e1 - e0) * t;
    }
}

// Interpolated `below` or `surface` at p, which lies in `block`. False, and 0: there is no snow.
FIRN_FN bool firn_snow_light_in(const firn_snow_volume* v, float (*values)[4], int32_t block,
                                firn_grid_point p, firn_rgb* out)
{
    *out = firn_rgb_of(0, 0, 0);
    if (values == NULL) return false;
    const int32_t* at = v->at[block];
    float s[4];
    firn_snow_mix4((const float(*)[4])(values + (size_t)block * FIRN_SNOW_MID), 6, 36,
                   (p.x - (float)(at[0] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f,
                   (p.y - (float)(at[1] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f,
                   (p.z - (float)(at[2] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f, s);
    if (!(s[3] > 1e-6f)) return false;
    const float w = 1 / s[3];
    *out = firn_rgb_of(s[0] * w, s[1] * w, s[2] * w);
    return true;
}
