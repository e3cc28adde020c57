// SPDX-License-Identifier: MIT
// Accumulates samples and computes layers.
#include "render/path/film.h"

#include <float.h>
#include <math.h>

#include "core/memory.h"
#include "render/path/film_pixel.h"

#define PLANES 21  // of the layers

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
    firn_free(film->glints);
    *film = (firn_film){0};
}

bool firn_film_add(firn_film* film, int32_t x, int32_t y, const firn_film_sample* sample)
{
    FIRN_ASSERT(x >= 0 && y >= 0 && x < film->width && y < film->height);
    return firn_film_pixel_add(&film->pixels[(size_t)y * (size_t)film->width + (size_t)x], sample);
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
    float* const direct[3] = {l->direct_r, l->direct_g, l->direct_b};
    float* const indirect[3] = {l->indirect_r, l->indirect_g, l->indirect_b};
    for (int c = 0; c < 3; c++) {
        const float mean = to_finite((p->light[0][c] + p->light[1][c]) * share);
        light[c][i] = mean;
        variance[c][i] = to_finite(firn_film_mean_variance(p->light_m2[c], p->count, mean));
        direct[c][i] = to_finite(p->direct[c] * share);
        indirect[c][i] = to_finite(mean - direct[c][i]);
        albedo[c][i] = to_finite(p->albedo[c] * share);
        normal[c][i] = to_finite(p->normal[c] * share);
    }
    l->a[i] = to_finite((p->alpha + missing_light(p)) * share);
    l->depth[i] = p->hit_count > 0 ? to_finite(p->depth / (float)p->hit_count) : 0;
}

static void add_glints(const firn_film* film, float* const light[3])
{
    if (film->glints == NULL) return;
    const size_t pixels = (size_t)film->width * (size_t)film->height;
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < 3; c++)
            light[c][i] = to_finite(light[c][i] + film->glints[3 * i + c]);
}

void firn_film_add_glints(const firn_film* film, firn_film_layers* layers)
{
    add_glints(film, (float* const[3]){layers->r, layers->g, layers->b});
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
        &l.r,          &l.g,          &l.b,          &l.a,        &l.depth,    &l.albedo_r,
        &l.albedo_g,   &l.albedo_b,   &l.normal_x,   &l.normal_y, &l.normal_z, &l.variance_r,
        &l.variance_g, &l.variance_b, &l.samples,    &l.direct_r, &l.direct_g, &l.direct_b,
        &l.indirect_r, &l.indirect_g, &l.indirect_b,
    };
    for (size_t k = 0; k < PLANES; k++) *planes[k] = block + k * pixels;
    for (size_t i = 0; i < pixels; i++) develop_pixel(&film->pixels[i], &l, i);
    firn_film_add_glints(film, &l);
    add_glints(film, (float* const[3]){l.direct_r, l.direct_g, l.direct_b});
    *out_layers = l;
    return FIRN_OK;
}

void firn_film_layers_destroy(firn_film_layers* layers)
{
    firn_free(layers->r);
    *layers = (firn_film_layers){0};
}
