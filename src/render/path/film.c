// SPDX-License-Identifier: MIT
// Accumulates samples and computes layers.
#include "render/path/film.h"

#include <float.h>
#include <math.h>

#include "core/memory.h"

#define PLANES 15  // of the layers

firn_result firn_film_create(firn_film* film, int32_t width, int32_t height, firn_error* error)
{
    *film = (firn_film){0};
    if (width < 1 || height < 1 || width > FIRN_FILM_SIDE_MAX || height > FIRN_FILM_SIDE_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a picture of %d x %d pixels cannot be made: each side must be 1 to %d",
                         (int)width, (int)height, FIRN_FILM_SIDE_MAX);
    film->pixels = firn_alloc((size_t)width * (size_t)height, sizeof *film->pixels);
    if (film->pixels == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "no memory for a picture of %d x %d pixels: make it smaller", (int)width,
                         (int)height);
    film->width = width;
    film->height = height;
    return FIRN_OK;
}

void firn_film_destroy(firn_film* film)
{
    firn_free(film->pixels);
    *film = (firn_film){0};
}

// x - x is 0 unless x is infinite or NaN.
static bool is_finite_sample(const firn_film_sample* s)
{
    const float zero =
        (s->light.r - s->light.r) + (s->light.g - s->light.g) + (s->light.b - s->light.b) +
        (s->albedo.r - s->albedo.r) + (s->albedo.g - s->albedo.g) + (s->albedo.b - s->albedo.b) +
        (s->normal[0] - s->normal[0]) + (s->normal[1] - s->normal[1]) +
        (s->normal[2] - s->normal[2]) + (s->depth - s->depth) + (s->alpha - s->alpha) +
        (s->catcher_lit - s->catcher_lit) + (s->catcher_unshadowed - s->catcher_unshadowed);
    return zero == 0;
}

// Increment of the M2 of `count` values with the given sum by value x.
static float m2_increment(float sum, uint32_t count, float x)
{
    if (count == 0) return 0;
    const float n = (float)count, d = x - sum / n;
    return d * d * (n / (n + 1));
}

bool firn_film_add(firn_film* film, int32_t x, int32_t y, const firn_film_sample* sample)
{
    FIRN_ASSERT(x >= 0 && y >= 0 && x < film->width && y < film->height);
    if (!is_finite_sample(sample)) return false;
    firn_film_pixel* p = &film->pixels[(size_t)y * (size_t)film->width + (size_t)x];
    const uint32_t n = p->count;
    const float light[3] = {sample->light.r, sample->light.g, sample->light.b};
    const float albedo[3] = {sample->albedo.r, sample->albedo.g, sample->albedo.b};
    const firn_rgb sum =
        firn_rgb_of(p->light[0][0] + p->light[1][0], p->light[0][1] + p->light[1][1],
                    p->light[0][2] + p->light[1][2]);
    p->luminance_m2 += m2_increment(firn_rgb_luminance(sum), n, firn_rgb_luminance(sample->light));
    for (int c = 0; c < 3; c++) {
        p->light_m2[c] += m2_increment(p->light[0][c] + p->light[1][c], n, light[c]);
        p->light[n & 1][c] += light[c];
        p->albedo_m2[c] += m2_increment(p->albedo[c], n, albedo[c]);
        p->albedo[c] += albedo[c];
        p->normal_m2[c] += m2_increment(p->normal[c], n, sample->normal[c]);
        p->normal[c] += sample->normal[c];
    }
    if (sample->alpha > 0) {
        p->depth_m2 += m2_increment(p->depth, p->hit_count, sample->depth);
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
static float mean_variance(float m2, uint32_t count, float mean)
{
    const float n = (float)count;
    return count < 2 ? mean * mean : m2 / (n * (n - 1));
}

float firn_film_noise(const firn_film_pixel* pixel, float floor_luminance)
{
    if (pixel->count < 2) return 1;
    const float n = (float)pixel->count;
    const float mean = firn_rgb_luminance(firn_rgb_of(pixel->light[0][0] + pixel->light[1][0],
                                                      pixel->light[0][1] + pixel->light[1][1],
                                                      pixel->light[0][2] + pixel->light[1][2])) /
                       n;
    const float error = sqrtf(mean_variance(pixel->luminance_m2, pixel->count, 0));
    return error / (mean > floor_luminance ? mean : floor_luminance);
}

// Sums of finite samples may overflow.
static float to_finite(float x)
{
    return x < FLT_MAX ? x > -FLT_MAX ? x : -FLT_MAX : FLT_MAX;
}

// Shadow on catchers, in samples. Light reflected by the snow can cancel shadow, but not more.
static float missing_light(const firn_film_pixel* p)
{
    if (p->catcher == 0 || !(p->catcher_unshadowed > 0)) return 0;
    const float lit = p->catcher_lit / p->catcher_unshadowed;
    return lit < 1 ? (float)p->catcher * (1 - lit) : 0;
}

static void develop_pixel(const firn_film_pixel* p, firn_film_layers* l, size_t i)
{
    l->samples[i] = (float)p->count;
    if (p->count == 0) return;  // all planes start as 0
    const float share = 1.0f / (float)p->count;
    float* const light[3] = {l->r, l->g, l->b};
    float* const variance[3] = {l->variance_r, l->variance_g, l->variance_b};
    float* const albedo[3] = {l->albedo_r, l->albedo_g, l->albedo_b};
    float* const normal[3] = {l->normal_x, l->normal_y, l->normal_z};
    for (int c = 0; c < 3; c++) {
        const float mean = to_finite((p->light[0][c] + p->light[1][c]) * share);
        light[c][i] = mean;
        variance[c][i] = to_finite(mean_variance(p->light_m2[c], p->count, mean));
        albedo[c][i] = to_finite(p->albedo[c] * share);
        normal[c][i] = to_finite(p->normal[c] * share);
    }
    l->a[i] = to_finite((p->alpha + missing_light(p)) * share);
    l->depth[i] = p->hit_count > 0 ? to_finite(p->depth / (float)p->hit_count) : 0;
}

firn_result firn_film_develop(const firn_film* film, firn_film_layers* out_layers,
                              firn_error* error)
{
    const size_t pixels = (size_t)film->width * (size_t)film->height;
    float* block = firn_alloc(pixels, PLANES * sizeof(float));
    if (block == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "no memory for the layers of a picture of %d x %d pixels: make it smaller",
                         (int)film->width, (int)film->height);
    firn_film_layers l = {.width = film->width, .height = film->height};
    float** const planes[PLANES] = {
        &l.r,        &l.g,          &l.b,          &l.a,          &l.depth,
        &l.albedo_r, &l.albedo_g,   &l.albedo_b,   &l.normal_x,   &l.normal_y,
        &l.normal_z, &l.variance_r, &l.variance_g, &l.variance_b, &l.samples,
    };
    for (size_t k = 0; k < PLANES; k++) *planes[k] = block + k * pixels;
    for (size_t i = 0; i < pixels; i++) develop_pixel(&film->pixels[i], &l, i);
    *out_layers = l;
    return FIRN_OK;
}

void firn_film_layers_destroy(firn_film_layers* layers)
{
    firn_free(layers->r);
    *layers = (firn_film_layers){0};
}
