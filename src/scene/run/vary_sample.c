// SPDX-License-Identifier: MIT
// The factors of a volume of snow at a point: noise, texture, shell, layers. In double, so that
// float and double builds see the same pattern.
#include "scene/run/vary_sample.h"

#include <math.h>

#include "math/noise.h"
#include "math/vec3.h"

#define FACTOR_MIN 0.05  // minimum of noise: snow never vanishes (vary.h)
#define STRIDE 0.01      // [cells] smallest step: accuracy of layers under flat surfaces

static firn_vec3 find_up(const double g[3])
{
    const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (!(size > 0)) return firn_v3(0, 1, 0);
    return firn_v3((firn_real)(-g[0] / size), (firn_real)(-g[1] / size), (firn_real)(-g[2] / size));
}

firn_result firn_vary_sampler_create(const firn_scene_data* scene, const firn_snow* snow,
                                     double cell, firn_vary_sampler* out_sampler, firn_error* error)
{
    firn_vary_sampler s = {.vary = &snow->vary,
                           .shapes = &scene->shapes,
                           .shape = snow->shape,
                           .up = find_up(scene->gravity)};
    for (firn_local i = 0; i < s.vary->layers.count; i++)
        s.reach = fmax(s.reach, s.vary->layers.items[i].to);
    // Deep layers get a larger step: at most ten thousand steps per particle.
    s.stride = fmax(STRIDE * cell, 1e-4 * s.reach);
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        const firn_vary_texture* texture = &s.vary->field[q].texture;
        firn_error cause;
        if (texture->file == NULL) continue;
        const firn_result result =
            firn_texture_read(texture->file, texture->grid, &s.texture[q], &cause);
        if (result == FIRN_OK) continue;
        firn_vary_sampler_destroy(&s);
        return firn_fail(error, result, "vary.%s.texture: %s", firn_vary_names[q], cause.text);
    }
    *out_sampler = s;
    return FIRN_OK;
}

void firn_vary_sampler_destroy(firn_vary_sampler* sampler)
{
    for (int q = 0; q < FIRN_VARY_COUNT; q++) firn_texture_destroy(&sampler->texture[q]);
    *sampler = (firn_vary_sampler){0};
}

static double noise_factor(const firn_vary_noise* noise, firn_vec3 x)
{
    if (!(noise->scale > 0)) return 1;
    const double s = 1 / noise->scale;
    const double n = firn_noise_octaves((uint64_t)noise->seed, s * (double)x.x, s * (double)x.y,
                                        s * (double)x.z, (int)noise->octaves);
    const double factor = 1 + noise->amount * n;
    return factor > FACTOR_MIN ? factor : FACTOR_MIN;
}

static double texture_factor(const firn_vary_texture* t, const firn_texture* grid, firn_vec3 x)
{
    if (t->file == NULL) return 1;
    const double value = fmin(fmax(firn_texture_sample(grid, x), 0), 1);
    return t->low + (t->high - t->low) * value;
}

// Depth along `up` by sphere tracing: a ball of radius |phi| contains no surface. Near the surface
// the step is bounded from below, and the last one is interpolated where phi changes sign.
double firn_vary_depth(const firn_vary_sampler* s, firn_vec3 x)
{
    double depth = 0;
    double phi = (double)firn_shape_distance(s->shapes, s->shape, x);
    while (phi < 0 && depth < s->reach) {
        const double stride = fmax(-phi, s->stride);
        const double next = (double)firn_shape_distance(
            s->shapes, s->shape, firn_v3_madd(x, (firn_real)(depth + stride), s->up));
        if (next >= 0) return depth + stride * phi / (phi - next);
        depth += stride;
        phi = next;
    }
    return depth;
}

static void apply_shell(const firn_vary_sampler* s, firn_vec3 x, double* factor)
{
    const firn_vary_shell* shell = &s->vary->shell;
    if (!(shell->thickness > 0)) return;
    const double depth = -(double)firn_shape_distance(s->shapes, s->shape, x);
    if (!(depth < shell->thickness)) return;
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        const double left = 1 - fmax(depth, 0) / shell->thickness;
        factor[q] *= shell->falloff == FIRN_FALLOFF_LINEAR ? 1 + (shell->factor[q] - 1) * left
                                                           : shell->factor[q];
    }
}

static void apply_layers(const firn_vary_sampler* s, firn_vec3 x, double* factor)
{
    const firn_vary_layers* layers = &s->vary->layers;
    if (layers->count == 0) return;
    const double depth = firn_vary_depth(s, x);
    for (firn_local i = 0; i < layers->count; i++) {
        if (!(depth >= layers->items[i].from && depth < layers->items[i].to)) continue;
        for (int q = 0; q < FIRN_VARY_COUNT; q++) factor[q] *= layers->items[i].factor[q];
    }
}

void firn_vary_sample(const firn_vary_sampler* s, firn_vec3 x, double out_factor[FIRN_VARY_COUNT])
{
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        const firn_vary_field* field = &s->vary->field[q];
        out_factor[q] =
            noise_factor(&field->noise, x) * texture_factor(&field->texture, &s->texture[q], x);
    }
    apply_shell(s, x, out_factor);
    apply_layers(s, x, out_factor);
}
