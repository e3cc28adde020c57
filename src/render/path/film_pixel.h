// SPDX-License-Identifier: MIT
// One pixel of a film: adding a sample, and its noise; for C and CUDA.
#pragma once
#include <math.h>

#include "render/path/film.h"

// x - x is 0 unless x is infinite or NaN.
FIRN_FN bool firn_film_is_finite(const firn_film_sample* s)
{
    const float zero =
        (s->direct.r - s->direct.r) + (s->direct.g - s->direct.g) + (s->direct.b - s->direct.b) +
        (s->light.r - s->light.r) + (s->light.g - s->light.g) + (s->light.b - s->light.b) +
        (s->albedo.r - s->albedo.r) + (s->albedo.g - s->albedo.g) + (s->albedo.b - s->albedo.b) +
        (s->normal[0] - s->normal[0]) + (s->normal[1] - s->normal[1]) +
        (s->normal[2] - s->normal[2]) + (s->depth - s->depth) + (s->alpha - s->alpha) +
        (s->catcher_lit - s->catcher_lit) + (s->catcher_unshadowed - s->catcher_unshadowed);
    return zero == 0;
}

// Increment of the M2 of `count` values with the given sum by value x.
FIRN_FN float firn_film_m2_increment(float sum, uint32_t count, float x)
{
    if (count == 0) return 0;
    const float n = (float)count, d = x - sum / n;
    return d * d * (n / (n + 1));
}

// Drops a sample that is not finite and returns false for it.
FIRN_FN bool firn_film_pixel_add(firn_film_pixel* p, const firn_film_sample* sample)
{
    if (!firn_film_is_finite(sample)) return false;
    const uint32_t n = p->count;
    const float light[3] = {sample->light.r, sample->light.g, sample->light.b};
    const float albedo[3] = {sample->albedo.r, sample->albedo.g, sample->albedo.b};
    const firn_rgb sum =
        firn_rgb_of(p->light[0][0] + p->light[1][0], p->light[0][1] + p->light[1][1],
                    p->light[0][2] + p->light[1][2]);
    p->luminance_m2 +=
        firn_film_m2_increment(firn_rgb_luminance(sum), n, firn_rgb_luminance(sample->light));
    for (int c = 0; c < 3; c++) {
        p->light_m2[c] += firn_film_m2_increment(p->light[0][c] + p->light[1][c], n, light[c]);
        p->light[n & 1][c] += light[c];
        p->albedo_m2[c] += firn_film_m2_increment(p->albedo[c], n, albedo[c]);
        p->albedo[c] += albedo[c];
        p->normal_m2[c] += firn_film_m2_increment(p->normal[c], n, sample->normal[c]);
        p->normal[c] += sample->normal[c];
    }
    p->direct[0] += sample->direct.r;
    p->direct[1] += sample->direct.g;
    p->direct[2] += sample->direct.b;
    if (sample->alpha > 0) {
        p->depth_m2 += firn_film_m2_increment(p->depth, p->hit_count, sample->depth);
        p->depth += sample->depth;
        p->hit_count++;
    }
    p->alpha += sample->alpha;
    if (sample->catcher) {
        p->catcher_lit += sample->catcher_lit;
        p->catcher_unshadowed += sample->catcher_unshadowed;
        p->catcher++;
    }
    p->count++;
    return true;
}

// Variance of the mean of `count` values with that M2; `mean` squared if count < 2.
FIRN_FN float firn_film_mean_variance(float m2, uint32_t count, float mean)
{
    const float n = (float)count;
    return count < 2 ? mean * mean : m2 / (n * (n - 1));
}

// Relative standard error of the pixel's mean luminance, where the mean is at least
// `floor_luminance` > 0; 1 with fewer than two samples.
FIRN_FN float firn_film_noise(const firn_film_pixel* pixel, float floor_luminance)
{
    if (pixel->count < 2) return 1;
    const float n = (float)pixel->count;
    const float mean = firn_rgb_luminance(firn_rgb_of(pixel->light[0][0] + pixel->light[1][0],
                                                      pixel->light[0][1] + pixel->light[1][1],
                                                      pixel->light[0][2] + pixel->light[1][2])) /
                       n;
    const float error = sqrtf(firn_film_mean_variance(pixel->luminance_m2, pixel->count, 0));
    return error / (mean > floor_luminance ? mean : floor_luminance);
}
