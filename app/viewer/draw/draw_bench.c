// SPDX-License-Identifier: MIT
#include "viewer/draw/draw_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "viewer/clock.h"
#include "viewer/draw/draw.h"
#include "viewer/gl/gl.h"
#include "viewer/gl/headless.h"

#define WIDTH 1280
#define HEIGHT 720
#define RADIUS 0.05f  // [m] of a grain
#define LAYERS 8      // of grains
#define SHAKE 0.3f    // [radii] jitter of the lattice

// Hash of k in -1..1.
static float jitter(uint32_t k)
{
    k = (k ^ (k >> 16)) * 0x7feb352du;
    k = (k ^ (k >> 15)) * 0x846ca68bu;
    return (float)((k ^ (k >> 16)) & 0xffff) / 32767.5f - 1;
}

// A flat block around the origin, on the ground.
static void place(int grains, float (*position)[3])
{
    const int side = (int)ceil(sqrt((double)grains / LAYERS));
    for (int k = 0; k < grains; k++) {
        const int at[3] = {k / LAYERS % side, k % LAYERS, k / LAYERS / side};
        for (int d = 0; d < 3; d++)
            position[k][d] = RADIUS * (1 + 2 * (float)(at[d] - (d == 1 ? 0 : side / 2)) +
                                       SHAKE * jitter((uint32_t)(3 * k + d)));
    }
}

// Time of the fastest frame [s].
static double measure(view_draw* draw, view_frame* frame, int pictures)
{
    double best = INFINITY;
    for (int k = 0; k <= pictures; k++) {  // the first one creates buffers and is not counted
        const double start = view_clock();
        frame->snow.version = 0;  // upload again
        view_draw_frame(draw, frame);
        glFinish();
        const double took = view_clock() - start;
        if (k > 0 && took < best) best = took;
    }
    return best;
}

static void measure_styles(view_draw* draw, const float (*position)[3], int grains, int pictures,
                           view_bench_row* out_row)
{
    const float size = 2 * RADIUS * (float)sqrt((double)grains / LAYERS);
    const view_collider ground = {
        .mesh = -1, .scale = 1, .normal = {0, 1, 0}, .colour = {0.1f, 0.1f, 0.12f}};
    view_frame frame = {.width = WIDTH,
                        .height = HEIGHT,
                        .camera = {{0.9f * size, 0.7f * size, 1.1f * size}, {0, 0, 0}, 40},
                        .sun = {-0.64f, 0.6f, 0.48f},
                        .shadows = true,
                        .snow = {.count = grains, .position = position, .radius_all = RADIUS},
                        .colliders = &ground,
                        .collider_count = 1};
    frame.style = VIEW_SPHERES;
    out_row->spheres = measure(draw, &frame, pictures);
    frame.style = VIEW_SURFACE;
    out_row->surface = measure(draw, &frame, pictures);
}

bool view_draw_bench(int grains, int pictures, view_bench_row* out_row, char* problem,
                     int problem_size)
{
    view_headless* headless = NULL;
    view_draw* draw = NULL;
    float(*position)[3] = malloc((size_t)grains * sizeof *position);
    bool good = position != NULL;
    if (!good) snprintf(problem, (size_t)problem_size, "out of memory for %d grains", grains);
    good = good && view_headless_create(WIDTH, HEIGHT, &headless, problem, problem_size) &&
           view_draw_create(&draw, problem, problem_size);
    if (good) {
        *out_row = (view_bench_row){.grains = grains, .width = WIDTH, .height = HEIGHT};
        snprintf(out_row->driver, sizeof out_row->driver, "%s",
                 (const char*)glGetString(GL_RENDERER));
        place(grains, position);
        measure_styles(draw, (const float(*)[3])position, grains, pictures, out_row);
    }
    if (draw != NULL) view_draw_destroy(draw);
    if (headless != NULL) view_headless_destroy(headless);
    free(position);
    return good;
}
