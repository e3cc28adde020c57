// SPDX-License-Identifier: MIT
// Small pictures of a ball of snow.
#pragma once
#include <stdio.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"
#include "math/vec3.h"
#include "render/image/exr.h"
#include "render/path/picture.h"
#include "scene/scene_fixture.h"
#include "team_use.h"

enum { COUNT = 4000 };

// A ball of snow, radius 0.1 m about (0, 0.15, 0).
typedef struct ball {
    firn_vec3 x[COUNT], v[COUNT];
    firn_real mass[COUNT];
    firn_picture_snow snow;
} ball;

static inline ball* make_ball(void)
{
    ball* b = firn_alloc(1, sizeof *b);
    assert_non_null(b);
    uint64_t k = 0;
    for (int p = 0; p < COUNT;) {
        const double x = 2 * firn_random_unit(1, k) - 1, y = 2 * firn_random_unit(2, k) - 1,
                     z = 2 * firn_random_unit(3, k) - 1;
        k++;
        if (x * x + y * y + z * z > 1) continue;
        b->x[p] = firn_v3((firn_real)(0.1 * x), (firn_real)(0.15 + 0.1 * y), (firn_real)(0.1 * z));
        b->mass[p++] = (firn_real)(400 * 4.18879e-3 / COUNT);
    }
    b->snow = (firn_picture_snow){.x = b->x,
                                  .v = b->v,
                                  .mass = b->mass,
                                  .count = COUNT,
                                  .cell = 0.03,
                                  .time = 0.5,
                                  .frame_time = 1.0 / 24};
    return b;
}

// An even sky as a file.
static inline const char* sky_file(float radiance)
{
    static const char path[] = FIRN_TEST_TMP "/sky.exr";
    float plane[8];
    for (int k = 0; k < 8; k++) plane[k] = radiance;
    const firn_exr_channel c[] = {{"R", plane, false}, {"G", plane, false}, {"B", plane, false}};
    assert_int_equal(firn_exr_write(path, 4, 2, c, 3, NULL, 0, NULL), FIRN_OK);
    return path;
}

static inline firn_scene_data scene_of(const char* colliders, const char* render)
{
    char text[2000];
    const int n =
        snprintf(text, sizeof text,
                 "firn: 1\nsnow: [{shape: {sphere: {center: [0, 0.15, 0], radius: 0.1}}}]\n"
                 "colliders: [%s]\n"
                 "render: {width: 32, height: 18, camera: {eye: [0.4, 0.3, 0.5], look_at: "
                 "[0, 0.12, 0], fov: 35}, denoise: false%s}\n",
                 colliders, render);
    assert_in_range(n, 1, sizeof text - 1);
    return parse_good(text, NULL);
}

// `machine`: null for the CPU.
static inline firn_film trace_on(const firn_picture_machine* machine, int device,
                                 const firn_scene_data* scene, const firn_picture_snow* snow,
                                 int threads, firn_picture_stats* stats)
{
    firn_film film;
    firn_error error;
    const firn_picture_options options = {.machine = machine, .device = device};
    use_team(threads);
    const firn_result r = firn_picture_trace(scene, snow, &options, &film, stats, &error);
    use_team(0);
    if (r != FIRN_OK) fail_msg("%s", error.text);
    assert_equal(stats->dropped, 0);
    const int64_t pixels = (int64_t)film.width * film.height;
    for (int64_t k = 0; k < pixels; k++)
        for (int c = 0; c < 3; c++)
            assert_finite(film.pixels[k].light[0][c] + film.pixels[k].light[1][c]);
    return film;
}

static inline firn_film trace(const firn_scene_data* scene, const firn_picture_snow* snow,
                              int threads, firn_picture_stats* stats)
{
    return trace_on(NULL, 0, scene, snow, threads, stats);
}

static inline double light_at(const firn_film* f, int x, int y, int channel)
{
    const firn_film_pixel* p = &f->pixels[y * f->width + x];
    return (double)(p->light[0][channel] + p->light[1][channel]) / (double)p->count;
}

// The mean of two pictures of equally many samples agrees within 3 sigma of its difference, as if
// they were independent, and pixels scatter about each other no more than their own noise says: the
// mean square of their differences over its variance is at most 1, but for its uncertainty. Where
// pictures share random numbers, both are less.
static inline void check_agreement(const firn_film* a, const firn_film* b, const char* name)
{
    const int pixels = a->width * a->height;
    double mean[2] = {0, 0}, variance = 0, chi = 0;
    for (int k = 0; k < pixels; k++) {
        const firn_film_pixel* p[2] = {&a->pixels[k], &b->pixels[k]};
        double light[2], own = 0;
        for (int i = 0; i < 2; i++) {
            const double n = (double)p[i]->count;
            light[i] = (double)(p[i]->light[0][1] + p[i]->light[1][1]) / n;
            mean[i] += light[i] / pixels;
            own += (double)p[i]->light_m2[1] / (n * (n - 1));
        }
        variance += own / pixels / pixels;
        const double d = light[0] - light[1];
        chi += d * d / (own + 1e-8) / pixels;
    }
    const double sigma = sqrt(variance);
    print_message("%s: means %.5f and %.5f, sigma %.5f, scatter %.3f\n", name, mean[0], mean[1],
                  sigma, chi);
    if (!(fabs(mean[0] - mean[1]) < 3 * sigma)) fail_msg("%s: the means differ", name);
    if (!(chi < 1.6)) fail_msg("%s: the pixels differ", name);
}

// T32: white snow on a white floor under an even white sky, below the floor as well: everything
// shines like the sky.
static inline void check_furnace(const firn_picture_machine* machine, int device)
{
    ball* b = make_ball();
    char render[300];
    snprintf(render, sizeof render,
             ", samples: 16, sun_strength: 0, sky: {picture: \"%s\"}, medium: {albedo: [1, 1, 1]}",
             sky_file(0.8f));
    firn_scene_data scene =
        scene_of("{shape: {plane: {}}, surface: {kind: diffuse, colour: [1, 1, 1]}}", render);
    firn_picture_stats stats;
    firn_film film = trace_on(machine, device, &scene, &b->snow, 2, &stats);
    for (int y = 0; y < film.height; y++)
        for (int x = 0; x < film.width; x++)
            for (int c = 0; c < 3; c++) assert_near(light_at(&film, x, y, c), 0.8, 1e-4);
    assert_greater(fmin((double)stats.events, (double)stats.bounces), 1000);
    firn_film_destroy(&film);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}
