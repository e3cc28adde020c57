// SPDX-License-Identifier: MIT
// Pictures on the CPU: tiles are shared by the team's threads.
#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "render/path/film_noise.h"
#include "render/path/machine/picture_machine.h"
#include "render/path/path.h"
#include "render/path/picture_ray.h"

enum {
    TILE = FIRN_FILM_TILE,
    ROUND_MAX = 8  // passes per round
};

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

typedef struct render_state {
    firn_picture_work work;
    firn_film* film;
    batch* batches;  // owned; one per worker of the team
} render_state;

// The path of a pixel's sample, with the camera at its shutter time.
static firn_path_job job_of(const render_state* s, const firn_shutter_sample* m, int64_t pixel,
                            int64_t sample)
{
    const uint64_t seed = s->work.seed;
    return (firn_path_job){
        firn_picture_ray(&m->camera, m->lens, seed, s->film->width, pixel, sample),
        firn_rng_make(seed, (uint64_t)pixel, (uint64_t)sample)};
}

static void fill(const render_state* s, batch* b, int32_t tile, int64_t first, int64_t passes)
{
    const int32_t x0 = tile % s->work.tiles_x * TILE, y0 = tile / s->work.tiles_x * TILE;
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
    const firn_shutter* shutter = s->work.shutter;
    for (int32_t k = 0; k < shutter->count; k++) {
        const firn_shutter_sample* m = &shutter->at[k];
        int32_t jobs = 0;
        for (int32_t i = 0; i < b->count; i++) {
            if (firn_shutter_choose(shutter, s->work.seed, b->pixel[i], b->sample[i]) != m)
                continue;
            b->order[jobs] = i;
            b->jobs[jobs++] = job_of(s, m, b->pixel[i], b->sample[i]);
        }
        const firn_path_view view = {.medium = &m->medium,
                                     .geometry = m->geometry,
                                     .lights = s->work.lights,
                                     .transparent = s->work.transparent,
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
    const uint8_t* finished;
    firn_picture_stats* stats;
} tiles_args;

static void trace_tiles(const void* self, firn_local begin, firn_local end)
{
    const tiles_args* a = self;
    batch* b = &a->s->batches[firn_team_worker()];
    firn_path_count count = {0};
    int64_t paths = 0, dropped = 0;
    for (firn_local tile = begin; tile < end; tile++) {
        if (a->finished[tile]) continue;
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

static firn_result trace(void* self, int64_t first, int64_t passes, const uint8_t* finished,
                         firn_picture_stats* stats, firn_error* error)
{
    (void)error;
    const render_state* s = self;
    const tiles_args a = {s, first, passes, finished, stats};
    // a tile: 256 paths, a millisecond
    firn_share(s->work.tiles_x * s->work.tiles_y, 1, trace_tiles, &a);
    return FIRN_OK;
}

// ---- noise --------------------------------------------------------------------------------------

typedef struct sums_args {
    const firn_film* film;
    float floor_luminance;
    double* out;
} sums_args;

static void sum_rows(const void* self, firn_local begin, firn_local end)
{
    const sums_args* a = self;
    for (firn_local y = begin; y < end; y++)
        a->out[y] = firn_film_row_light(a->film->pixels, a->film->width, y);
}

static firn_result rows(void* self, double* out_light, firn_error* error)
{
    (void)error;
    const render_state* s = self;
    const sums_args a = {s->film, 0, out_light};
    firn_share(s->film->height, 4, sum_rows, &a);  // a row of 320 pixels: some microseconds
    return FIRN_OK;
}

static void measure_tiles(const void* self, firn_local begin, firn_local end)
{
    const sums_args* a = self;
    int count;
    for (firn_local tile = begin; tile < end; tile++)
        a->out[tile] = firn_film_tile_noise(a->film->pixels, a->film->width, a->film->height, tile,
                                            a->floor_luminance, &count);
}

static firn_result noise(void* self, float floor_luminance, double* out_square, firn_error* error)
{
    (void)error;
    const render_state* s = self;
    const sums_args a = {s->film, floor_luminance, out_square};
    firn_share(s->work.tiles_x * s->work.tiles_y, 4, measure_tiles, &a);
    return FIRN_OK;
}

// -------------------------------------------------------------------------------------------------

static firn_result fetch(void* self, firn_error* error)
{
    (void)self;
    (void)error;
    return FIRN_OK;
}

static int64_t round_of(const void* self, int64_t done, int64_t wanted)
{
    (void)self;
    return firn_picture_round(done, wanted);
}

static void destroy(void* self)
{
    render_state* s = self;
    firn_free(s->batches);
    firn_free(s);
}

static firn_result create(const firn_picture_work* work, firn_film* film, int device,
                          void** out_self, firn_error* error)
{
    (void)device;
    render_state* s = firn_alloc(1, sizeof *s);
    if (s != NULL) {
        *s = (render_state){.work = *work, .film = film};
        s->batches = firn_alloc((size_t)firn_team_size(), sizeof *s->batches);
        if (s->batches != NULL) {
            *out_self = s;
            return FIRN_OK;
        }
        destroy(s);
    }
    return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a picture's tiles");
}

const firn_picture_machine firn_picture_on_cpu = {create, destroy, round_of, trace,
                                                  rows,   noise,   fetch};
