// SPDX-License-Identifier: MIT
// The render loop: build the scene, then passes of one path per pixel, until the sample count, the
// noise target or the time limit is reached.
#include "render/path/picture.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/timer.h"
#include "geometry/collider/collider.h"
#include "render/path/film_noise.h"
#include "render/path/glints/glints.h"
#include "render/path/machine/picture_machine.h"
#include "render/path/visible/visible.h"
#include "scene/data/scene.h"

enum { TILE = FIRN_FILM_TILE };

typedef struct render_state {
    const firn_render_block* render;
    firn_shutter shutter;
    firn_lights lights;
    firn_picture_work work;
    const firn_picture_machine* machine;
    void* self;          // the machine's
    uint8_t* finished;   // owned; [tiles_y][tiles_x]
    double* row_light;   // owned; [height] sums of the rows' luminance
    double* tile_noise;  // owned; [tiles_y][tiles_x] sums of squares
} render_state;

static int32_t tile_count(const render_state* s)
{
    return s->work.tiles_x * s->work.tiles_y;
}

// Pixels of a tile.
static int pixels_of(const firn_picture_work* w, int32_t tile)
{
    const int32_t right = w->width - tile % w->tiles_x * TILE,
                  below = w->height - tile / w->tiles_x * TILE;
    return (right < TILE ? right : TILE) * (below < TILE ? below : TILE);
}

static firn_result mean_luminance(render_state* s, float* out_mean, firn_error* error)
{
    FIRN_TRY(s->machine->rows(s->self, s->row_light, error));
    double sum = 0;
    for (int32_t y = 0; y < s->work.height; y++) sum += s->row_light[y];
    *out_mean = (float)(sum / ((double)s->work.width * s->work.height));
    return FIRN_OK;
}

// RMS noise of the tiles and of the picture; tiles below the target are marked as finished. Noise
// is relative to at least 5 % of the picture's mean, so that black areas need no extra samples.
static firn_result update_noise(render_state* s, int64_t passes, double* out_noise,
                                firn_error* error)
{
    float mean;
    FIRN_TRY(mean_luminance(s, &mean, error));
    FIRN_TRY(s->machine->noise(s->self, 0.05f * mean + 1e-6f, s->tile_noise, error));
    double sum = 0;
    for (int32_t tile = 0; tile < tile_count(s); tile++) {
        const double square = s->tile_noise[tile];
        sum += square;
        if (firn_film_tile_is_finished(square, pixels_of(&s->work, tile), passes, s->render->noise))
            s->finished[tile] = 1;
    }
    *out_noise = sqrt(sum / ((double)s->work.width * s->work.height));
    return FIRN_OK;
}

static bool all_finished(const render_state* s)
{
    return memchr(s->finished, 0, (size_t)tile_count(s)) == NULL;
}

static firn_result trace_picture(render_state* s, const firn_picture_options* options,
                                 firn_picture_stats* stats, firn_error* error)
{
    const double start = firn_seconds();
    const int64_t wanted = s->render->samples;
    for (int64_t done = 0; done < wanted;) {
        const int64_t passes = s->machine->round(s->self, done, wanted);
        FIRN_TRY(s->machine->trace(s->self, done, passes, s->finished, stats, error));
        done += passes;
        FIRN_TRY(update_noise(s, done, &stats->noise, error));
        stats->passes = done;
        stats->seconds_trace = firn_seconds() - start;
        const firn_picture_progress progress = {done, wanted, stats->noise, stats->seconds_trace};
        if (options != NULL && options->progress != NULL &&
            !options->progress(options->user, &progress)) {
            stats->stopped = true;
            return FIRN_OK;
        }
        if (all_finished(s)) return FIRN_OK;
        if (s->render->seconds > 0 && stats->seconds_trace >= s->render->seconds) return FIRN_OK;
    }
    return FIRN_OK;
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

static firn_result make_room(render_state* s, firn_error* error)
{
    s->finished = firn_alloc((size_t)tile_count(s), sizeof *s->finished);
    s->row_light = firn_alloc((size_t)s->work.height, sizeof *s->row_light);
    s->tile_noise = firn_alloc((size_t)tile_count(s), sizeof *s->tile_noise);
    if (s->finished != NULL && s->row_light != NULL && s->tile_noise != NULL) return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a picture's tiles");
}

static firn_result prepare(render_state* s, const firn_scene_data* scene,
                           const firn_picture_snow* snow, const firn_picture_options* options,
                           firn_film* film, firn_error* error)
{
    const firn_render_block* render = s->render;
    const int32_t width = (int32_t)render->width, height = (int32_t)render->height;
    FIRN_TRY(firn_film_create(film, width, height, error));
    FIRN_TRY(firn_lights_create(&s->lights, scene, error));
    FIRN_TRY(firn_shutter_create(&s->shutter, scene, snow, &s->lights, error));
    s->work = (firn_picture_work){.shutter = &s->shutter,
                                  .lights = &s->lights,
                                  .seed = seed_of(render, snow->time),
                                  .transparent = has_catcher(scene),
                                  .may_finish = render->noise > 0,
                                  .width = width,
                                  .height = height,
                                  .tiles_x = (width + TILE - 1) / TILE,
                                  .tiles_y = (height + TILE - 1) / TILE};
    FIRN_TRY(make_room(s, error));
    s->machine =
        options != NULL && options->machine != NULL ? options->machine : &firn_picture_on_cpu;
    FIRN_TRY(firn_glints_add(film, scene, snow, &s->shutter, &s->lights, error));
    return s->machine->create(&s->work, film, options != NULL ? options->device : 0, &s->self,
                              error);
}

firn_result firn_picture_trace(const firn_scene_data* scene, const firn_picture_snow* snow,
                               const firn_picture_options* options, firn_film* out_film,
                               firn_picture_stats* out_stats, firn_error* error)
{
    const double start = firn_seconds();
    *out_stats = (firn_picture_stats){0};
    *out_film = (firn_film){0};
    render_state s = {.render = &scene->render};
    firn_result result = prepare(&s, scene, snow, options, out_film, error);
    if (result == FIRN_OK) {
        out_stats->bytes = firn_shutter_bytes(&s.shutter);
        out_stats->seconds_build = firn_seconds() - start;
        result = trace_picture(&s, options, out_stats, error);
        if (result == FIRN_OK) result = s.machine->fetch(s.self, error);
        s.machine->destroy(s.self);
    }
    firn_visible* visible = options != NULL ? options->visible : NULL;
    if (result == FIRN_OK && visible != NULL)
        result = firn_visible_create(visible, &s.work, snow, s.render->samples, error);
    if (result != FIRN_OK) firn_film_destroy(out_film);
    firn_free(s.finished);
    firn_free(s.row_light);
    firn_free(s.tile_noise);
    firn_shutter_destroy(&s.shutter);
    firn_lights_destroy(&s.lights);
    return result;
}
