// SPDX-License-Identifier: MIT
// Radiance, pdf and sampling of an environment map (environment.h), for C and CUDA.
#pragma once
#include <math.h>

#include "math/elementary.h"
#include "render/path/environment.h"

#define FIRN_ENVIRONMENT_PI 3.14159265358979323846

typedef struct firn_texel {
    int32_t x, y;
} firn_texel;

// Cosine of the polar angle at the upper edge of row y.
FIRN_FN double firn_texel_edge_cos(const firn_environment* e, int32_t y)
{
    double s, c;
    firn_sincos_double(FIRN_ENVIRONMENT_PI * y / e->height, &s, &c);
    return c;
}

// [sr] of each texel of row y
FIRN_FN double firn_texel_angle(const firn_environment* e, int32_t y)
{
    return 2 * FIRN_ENVIRONMENT_PI / e->width *
           (firn_texel_edge_cos(e, y) - firn_texel_edge_cos(e, y + 1));
}

FIRN_FN int32_t firn_texel_index(double share, int32_t count)
{
    const double k = share * count;
    return k > 0 ? k < count ? (int32_t)k : count - 1 : 0;  // NaN gives 0
}

// The polar angle by atan2: near the poles acos loses all precision.
FIRN_FN firn_texel firn_texel_find(const firn_environment* e, firn_vec3 d)
{
    const double x = (double)d.x, y = (double)d.y, z = (double)d.z;
    const double polar = firn_atan2_double(sqrt(x * x + z * z), y);
    double share =
        (firn_atan2_double(x, -z) + (double)e->rotation) / (2 * FIRN_ENVIRONMENT_PI) + 0.5;
    share -= floor(share);
    return FIRN_LIT(firn_texel){firn_texel_index(share, e->width),
                                firn_texel_index(polar / FIRN_ENVIRONMENT_PI, e->height)};
}

// Direction at (u, v) in 0..1 of a texel, uniform in solid angle.
FIRN_FN firn_vec3 firn_texel_direction(const firn_environment* e, firn_texel at, double u, double v)
{
    const double top = firn_texel_edge_cos(e, at.y), bottom = firn_texel_edge_cos(e, at.y + 1);
    const double c = top + (bottom - top) * v;
    const double r = sqrt(1 - c * c > 0 ? 1 - c * c : 0);
    double sin_phi, cos_phi;
    firn_sincos_double(2 * FIRN_ENVIRONMENT_PI * ((at.x + u) / e->width - 0.5) -
                           (double)e->rotation,
                       &sin_phi, &cos_phi);
    return firn_v3((firn_real)(r * sin_phi), (firn_real)c, (firn_real)(-r * cos_phi));
}

FIRN_FN const float* firn_environment_columns(const firn_environment* e, int32_t y)
{
    return e->column_cdf + (size_t)y * ((size_t)e->width + 1);
}

FIRN_FN float firn_texel_pdf(const firn_environment* e, firn_texel at)
{
    const float* columns = firn_environment_columns(e, at.y);
    const double probability = (double)(e->row_cdf[at.y + 1] - e->row_cdf[at.y]) *
                               (double)(columns[at.x + 1] - columns[at.x]);
    return (float)(probability / firn_texel_angle(e, at.y));
}

FIRN_FN_ONCE firn_rgb firn_environment_at(const firn_environment* e, firn_vec3 d)
{
    const firn_texel at = firn_texel_find(e, d);
    return e->texels[(size_t)at.y * (size_t)e->width + (size_t)at.x];
}

FIRN_FN_ONCE float firn_environment_pdf(const firn_environment* e, firn_vec3 d)
{
    return firn_texel_pdf(e, firn_texel_find(e, d));
}

// Binary search for the interval of `cdf` that contains u in [0, 1); never one of probability 0.
FIRN_FN int32_t firn_cdf_find(const float* cdf, int32_t count, float u)
{
    int32_t low = 0, high = count;  // cdf[low] <= u < cdf[high]
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (cdf[middle] <= u)
            low = middle;
        else
            high = middle;
    }
    return low;
}

FIRN_FN_ONCE firn_vec3 firn_environment_sample(const firn_environment* e, firn_rng* r,
                                               float* out_pdf)
{
    // always draw four numbers: a path's random stream does not depend on the map
    const float row = firn_rng_unit(r), column = firn_rng_unit(r);
    const double u = (double)firn_rng_unit(r), v = (double)firn_rng_unit(r);
    if (e->row_cdf[e->height] <= 0) {
        *out_pdf = 0;
        return firn_v3(0, 1, 0);
    }
    firn_texel at;
    at.y = firn_cdf_find(e->row_cdf, e->height, row);
    at.x = firn_cdf_find(firn_environment_columns(e, at.y), e->width, column);
    *out_pdf = firn_texel_pdf(e, at);
    const firn_vec3 d = firn_texel_direction(e, at, u, v);
    const firn_texel found = firn_texel_find(e, d);
    // rounding may cross the texel's edge, where the pdf differs: use the centre then
    return found.x == at.x && found.y == at.y ? d : firn_texel_direction(e, at, 0.5, 0.5);
}
