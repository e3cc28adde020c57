// SPDX-License-Identifier: MIT
// The render loop: build the scene, then passes of one path per pixel, until the sample count, the
// noise target or the time limit is reached.
#include "render/path/picture.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "core/timer.h"
#include "geometry/collider/collider.h"
#include "render/camera_path.h"
#include "render/path/film_noise.h"
#include "render/path/path.h"
#include "render/path/picture_ray.h"
#include "render/path/shutter.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"

enum {
    TILE = FIRN_FILM_TILE,
    ROUND_MAX = 8  // passes per round
};

struct batch;

typedef struct render_state {
    const firn_render_block* render;
    firn_shutter shutter;
    firn_lights lights;
    firn_film* film;
    uint64_t seed;
    bool transparent;  // the scene has a shadow catcher
    int32_t tiles_x, tiles_y;
    uint8_t* finished;      // owned; [tiles_y][tiles_x]
    double* row_light;      // owned; [film->height] sums of the rows' luminance
    double* tile_noise;     // owned; [tiles_y][tiles_x] sums of squares
    struct batch* batches;  // owned; one per worker of the team
} render_state;

// The path of a pixel's sample, with the camera at its shutter time.
static firn_path_job job_of(const render_state* s, const firn_shutter_sample* m, int64_t pixel,
                            int64_t sample)
{
    return (firn_path_job){
        firn_picture_ray(&m->camera, m->lens, s->seed, s->film->width, pixel, sample),
        firn_rng_make(s->seed, (uint64_t)pixel, (uint64_t)sample)};
}

// The paths of a tile, traced by shutter sample and added to the film in a fixed order.
typedef struct batch {
    int64_t pixel[TILE * TILE * ROUND_MAX];
    int64_t sample[TILE * TILE * ROUND_MAX];
    int32_t order[TILE * TILE * ROUND_MAX];  // of jobs: index into pixel and sample
    firn_path_job jobs[TILE * TILE * ROUND_MAX];
    firn_film_sample samples[TILE * TILE * ROUND_MAX];
    firn_film_sample sorted[TILE * TILE * ROUND_MAX];
    int32_t count;
} batch;

static void fill(const render_state* s, batch* b, int32_t tile, int64_t first, int64_t passes)
{
    const int32_t x0 = tile % s->tiles_x * TILE, y0 = tile / s->tiles_x * TILE;
    b->count = 0;
    for (int32_t y = y0; y < y0 + TILE && y < s->film->height; y++)
        for (int32_t x = x0; x < x0 + TILE && x < s->film->width; x++)
            for (int64_t k = 0; k < passes; k++) {
                b->pixel[b->count] = (int64_t)y * s->film->width + x;
                b->sample[b->count++] = first + k;
            }
}

// Returns the number of non-finite samples.
static int64_t trace_tile(const render_state* s, batch* b, firn_path_count* count)
{
    for (int32_t k = 0; k < s->shutter.count; k++) {
        const firn_shutter_sample* m = &s->shutter.at[k];
        int32_t jobs = 0;
        for (int32_t i = 0; i < b->count; i++) {
            if (firn_shutter_choose(&s->shutter, s->seed, b->pixel[i], b->sample[i]) != m) continue;
            b->order[jobs] = i;
            b->jobs[jobs++] = job_of(s, m, b->pixel[i], b->sample[i]);
        }
        const firn_path_view view = {.medium = &m->medium,
                                     .geometry = m->geometry,
                                     .lights = &s->lights,
                                     .transparent = s->transparent,
                                     .has_interfaces = m->has_interfaces,
                                     .submerged = m->submerged};
        firn_paths_trace(&view, b->jobs, jobs, b->samples, count);
        for (int32_t i = 0; i < jobs; i++) b->sorted[b->order[i]] = b->samples[i];
    }
    int64_t dropped = 0;
    for (int32_t i = 0; i < b->count; i++) {
        const int32_t x = (int32_t)(b->pixel[i] % s->film->width),
                      y = (int32_t)(b->pixel[i] / s->film->width);
        dropped += !firn_film_add(s->film, x, y, &b->sorted[i]);
    }
    return dropped;
}

// Passes first .. first + passes - 1 of all tiles.
typedef struct tiles_args {
    const render_state* s;
    int64_t first, passes;
    firn_picture_stats* stats;
} tiles_args;

static void trace_tiles(const void* self, firn_local begin, firn_local end)
{
    const tiles_args* a = self;
    batch* b = &a->s->batches[firn_team_worker()];
    firn_path_count count = {0};
    int64_t paths = 0, dropped = 0;
    for (firn_local tile = begin; tile < end; tile++) {
        if (a->s->finished[tile]) continue;
        fill(a->s, b, tile, a->first, a->passes);
        dropped += trace_tile(a->s, b, &count);
        paths += b->count;
    }
    firn_atomic_add(&a->stats->events, count.events);
    firn_atomic_add(&a->stats->lookups, count.lookups);
    firn_atomic_add(&a->stats->bounces, count.bounces);
    firn_atomic_add(&a->stats->rays, count.rays);
    firn_atomic_add(&a->stats->paths, paths);
    firn_atomic_add(&a->stats->dropped, dropped);
}

static void trace_passes(const render_state* s, int64_t first, int64_t passes,
                         firn_picture_stats* stats)
{
    const tiles_args a = {s, first, passes, stats};
    firn_share(s->tiles_x * s->tiles_y, 1, trace_tiles, &a);  // a tile: 256 paths, a millisecond
}

static void sum_rows(const void* self, firn_local begin, firn_local end)
{
    const render_state* s = self;
    for (firn_local y = begin; y < end; y++)
        s->row_light[y] = firn_film_row_light(s->film->pixels, s->film->width, y);
}

static float mean_luminance(const render_state* s)
{
    firn_share(s->film->height, 4, sum_rows, s);  // a row of 320 pixels: some microseconds
    double sum = 0;
    for (int32_t y = 0; y < s->film->height; y++) sum += s->row_light[y];
    return (float)(sum / ((double)s->film->width * s->film->height));
}

typedef struct noise_args {
    const render_state* s;
    int64_t passes;
    float floor_luminance;
} noise_args;

static void measure_noise(const void* self, firn_local begin, firn_local end)
{
    const noise_args* a = self;
    const render_state* s = a->s;
    for (firn_local tile = begin; tile < end; tile++) {
        int count;
        const double square = firn_film_tile_noise(s->film->pixels, s->film->width, s->film->height,
                                                   tile, a->floor_luminance, &count);
        s->tile_noise[tile] = square;
        if (firn_film_tile_is_finished(square, count, a->passes, s->render->noise))
            s->finished[tile] = 1;
    }
}

// RMS noise of the tiles and of the picture; tiles below the target are marked as finished. Noise
// is relative to at least 5 % of the picture's mean, so that black areas need no extra samples.
static double update_noise(const render_state* s, int64_t passes)
{
    const noise_args a = {s, passes, 0.05f * mean_luminance(s) + 1e-6f};
    firn_share(s->tiles_x * s->tiles_y, 4, measure_noise, &a);
    double sum = 0;
    for (int32_t tile = 0; tile < s->tiles_x * s->tiles_y; tile++) sum += s->tile_noise[tile];
    return sqrt(sum / ((double)s->film->width * s->film->height));
}

static bool all_finished(const render_state* s)
{
    return memchr(s->finished, 0, (size_t)(s->tiles_x * s->tiles_y)) == NULL;
}

// Passes per round: few at first for early feedback, more later.
static int64_t round_of(int64_t done, int64_t wanted)
{
    const int64_t passes = done < 4 ? 1 : done < 16 ? 4 : ROUND_MAX;
    return done + passes < wanted ? passes : wanted - done;
}

static void trace_picture(render_state* s, const firn_picture_options* options,
                          firn_picture_stats* stats)
{
    const double start = firn_seconds();
    const int64_t wanted = s->render->samples;
    for (int64_t done = 0; done < wanted;) {
        const int64_t passes = round_of(done, wanted);
        trace_passes(s, done, passes, stats);
        done += passes;
        stats->noise = update_noise(s, done);
        stats->passes = done;
        stats->seconds_trace = firn_seconds() - start;
        const firn_picture_progress progress = {done, wanted, stats->noise, stats->seconds_trace};
        if (options != NULL && !options->progress(options->user, &progress)) {
            stats->stopped = true;
            return;
        }
        if (all_finished(s)) return;
        if (s->render->seconds > 0 && stats->seconds_trace >= s->render->seconds) return;
    }
}

static bool has_catcher(const firn_scene_data* scene)
{
    for (firn_local c = 0; c < scene->collider_count; c++)
        if (scene->colliders[c].look.kind == FIRN_LOOK_SHADOW_CATCHER) return true;
    return false;
}

static uint64_t seed_of(const firn_render_block* render, double time)
{
    // different noise in every frame, the same if a frame is rendered again
    return firn_random_bits((uint64_t)render->seed, (uint64_t)(int64_t)floor(time * 1e6 + 0.5));
}

firn_result firn_picture_trace(const firn_scene_data* scene, const firn_picture_snow* snow,
                               const firn_picture_options* options, firn_film* out_film,
                               firn_picture_stats* out_stats, firn_error* error)
{
    const double start = firn_seconds();
    const firn_render_block* render = &scene->render;
    *out_stats = (firn_picture_stats){0};
    *out_film = (firn_film){0};
    render_state s = {.render = render,
                      .film = out_film,
                      .seed = seed_of(render, snow->time),
                      .transparent = has_catcher(scene),
                      .tiles_x = ((int32_t)render->width + TILE - 1) / TILE,
                      .tiles_y = ((int32_t)render->height + TILE - 1) / TILE};
    firn_result result =
        firn_film_create(out_film, (int32_t)render->width, (int32_t)render->height, error);
    if (result == FIRN_OK) result = firn_lights_create(&s.lights, scene, error);
    if (result == FIRN_OK) result = firn_shutter_create(&s.shutter, scene, snow, error);
    if (result == FIRN_OK) {
        s.finished = firn_alloc((size_t)(s.tiles_x * s.tiles_y), sizeof *s.finished);
        s.row_light = firn_alloc((size_t)out_film->height, sizeof *s.row_light);
        s.tile_noise = firn_alloc((size_t)(s.tiles_x * s.tiles_y), sizeof *s.tile_noise);
        s.batches = firn_alloc((size_t)firn_team_size(), sizeof *s.batches);
        if (s.finished == NULL || s.row_light == NULL || s.tile_noise == NULL || s.batches == NULL)
            result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a picture's tiles");
    }
    if (result == FIRN_OK) {
        out_stats->bytes = firn_shutter_bytes(&s.shutter);
        out_stats->seconds_build = firn_seconds() - start;
        trace_picture(&s, options, out_stats);
    } else {
        firn_film_destroy(out_film);
    }
    firn_free(s.finished);
    firn_free(s.row_light);
    firn_free(s.tile_noise);
    firn_free(s.batches);
    firn_shutter_destroy(&s.shutter);
    firn_lights_destroy(&s.lights);
    return result;
}
