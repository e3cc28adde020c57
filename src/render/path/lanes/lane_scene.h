// SPDX-License-Identifier: MIT
// A picture as a GPU is given it, and its paths by number; for C and CUDA.
//
//     round    passes first .. first + passes - 1 of a list of tiles
//     job      one path: tile by tile, pixel by pixel, pass by pass
//     sample   what a job found, kept at its number until the round's samples are added to the
//              film, pixel by pixel in the order of passes: whoever traced them, and when
#pragma once
#include "render/path/film_noise.h"
#include "render/path/lanes/lane.h"
#include "render/path/machine/picture_machine.h"
#include "render/path/path_fluid_vertex.h"
#include "render/path/picture_ray.h"

// One shutter time. On a GPU `medium` and `bvh` have the addresses there.
typedef struct firn_lane_shutter {
    firn_path_view view;  // of the two below; set by firn_lane_scene_connect
    firn_medium medium;   // borrowed
    firn_bvh bvh;         // owned by the host (lane_scene.c)
    bool has_surfaces;
    bool has_interfaces;  // of transparent fluids
    uint32_t submerged;   // bits of the fluids that the eye is in
    firn_camera camera;
    firn_lens lens;
} firn_lane_shutter;

typedef struct firn_lane_scene {
    firn_lane_shutter at[FIRN_SHUTTER_SAMPLES];
    firn_lights lights;  // borrowed
    int32_t count;       // shutter times
    int32_t width, height, tiles_x, tiles_y;
    uint64_t seed;
    bool transparent;
    bool has_interfaces;  // at some shutter time
} firn_lane_scene;

#ifdef __cplusplus
extern "C" {
#endif

// From the host's preparations, which must outlive it. Refused: too many triangles.
firn_result firn_lane_scene_create(const firn_picture_work* work, firn_lane_scene* out_scene,
                                   firn_error* error);
void firn_lane_scene_destroy(firn_lane_scene* scene);

#ifdef __cplusplus
}
#endif

// Sets the views' addresses: to be called wherever the scene has been copied to.
FIRN_FN void firn_lane_scene_connect(firn_lane_scene* s)
{
    for (int k = 0; k < s->count; k++) {
        firn_lane_shutter* at = &s->at[k];
        at->view.medium = &at->medium;
        at->view.geometry = NULL;
        at->view.bvh = at->has_surfaces ? &at->bvh : NULL;
        at->view.lights = &s->lights;
        at->view.transparent = s->transparent;
        at->view.has_interfaces = at->has_interfaces;
        at->view.submerged = at->submerged;
    }
}

// ---- jobs ---------------------------------------------------------------------------------------

#define FIRN_LANE_TILE_PIXELS (FIRN_FILM_TILE * FIRN_FILM_TILE)

typedef struct firn_lane_round {
    int64_t first;
    int32_t passes;
    int32_t tile_count;
    const int32_t* tiles;       // [tile_count]
    firn_film_sample* samples;  // [tile_count][FIRN_LANE_TILE_PIXELS][passes]
} firn_lane_round;

FIRN_FN int64_t firn_lane_jobs(const firn_lane_round* r)
{
    return (int64_t)r->tile_count * FIRN_LANE_TILE_PIXELS * r->passes;
}

// Pixel number `place` of a tile; -1: beyond the picture's edge.
FIRN_FN int64_t firn_lane_pixel(const firn_lane_scene* s, int32_t tile, int32_t place)
{
    const int32_t x = tile % s->tiles_x * FIRN_FILM_TILE + place % FIRN_FILM_TILE;
    const int32_t y = tile / s->tiles_x * FIRN_FILM_TILE + place / FIRN_FILM_TILE;
    return x < s->width && y < s->height ? (int64_t)y * s->width + x : -1;
}

// How a path begins.
typedef struct firn_lane_start_of {
    const firn_lane_shutter* at;
    firn_ray ray;
    firn_rng rng;
} firn_lane_start_of;

// False: the job's pixel is beyond the picture's edge; there is nothing to do.
FIRN_FN bool firn_lane_find_job(const firn_lane_scene* s, const firn_lane_round* r, uint32_t job,
                                firn_lane_start_of* out)
{
    const uint32_t passes = (uint32_t)r->passes, pixel_job = job / passes;
    const int64_t sample = r->first + (int64_t)(job % passes);
    const int64_t pixel = firn_lane_pixel(s, r->tiles[pixel_job / FIRN_LANE_TILE_PIXELS],
                                          (int32_t)(pixel_job % FIRN_LANE_TILE_PIXELS));
    if (pixel < 0) return false;
    out->at = &s->at[firn_shutter_index(s->count, s->seed, pixel, sample)];
    out->ray = firn_picture_ray(&out->at->camera, out->at->lens, s->seed, s->width, pixel, sample);
    out->rng = firn_rng_make(s->seed, (uint64_t)pixel, (uint64_t)sample);
    return true;
}

// Adds a pixel's samples of the round to the film; returns how many were not finite. `index`: of
// the pixel in the round, tile by tile.
FIRN_FN int32_t firn_lane_add_pixel(const firn_lane_scene* s, const firn_lane_round* r,
                                    int64_t index, firn_film_pixel* film)
{
    const int64_t pixel = firn_lane_pixel(s, r->tiles[index / FIRN_LANE_TILE_PIXELS],
                                          (int32_t)(index % FIRN_LANE_TILE_PIXELS));
    if (pixel < 0) return 0;
    firn_film_pixel p = film[pixel];
    int32_t dropped = 0;
    for (int32_t k = 0; k < r->passes; k++)
        dropped += firn_film_pixel_add(&p, &r->samples[index * r->passes + k]) ? 0 : 1;
    film[pixel] = p;
    return dropped;
}
