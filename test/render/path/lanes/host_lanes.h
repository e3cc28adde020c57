// SPDX-License-Identifier: MIT
// The host plays a GPU: warps of 32 lanes that step and turn together, as in cuda/picture_cuda.cu,
// and one path after the other with the scalar integrators, on the same scene.
#pragma once
#include "core/memory.h"
#include "render/path/lanes/lane_scene.h"

// How paths are traced, beside what a picture says; read when a picture begins.
static struct host_lanes_way {
    bool scalar;  // by firn_path_trace and firn_path_trace_fluid
    int waiting;  // of 32 lanes that walk or wait for the common turn, how many wait until all turn
    int rare;     // how many wait for the rare one until it is taken
    int room;     // tiles of a batch
    bool reverse;  // the last jobs first
} host_lanes_way = {.waiting = 8, .rare = 6, .room = 7};

typedef struct host_lanes {
    firn_lane_scene scene;
    struct host_lanes_way way;
    firn_film* film;
    int32_t* tiles;
    firn_film_sample* samples;
} host_lanes;

enum { HOST_WARP = 32, HOST_PASSES = 8 };

static firn_result host_lanes_create(const firn_picture_work* work, firn_film* film, int device,
                                     void** out_self, firn_error* error)
{
    (void)device;
    host_lanes* h = firn_alloc(1, sizeof *h);
    assert_non_null(h);
    h->way = host_lanes_way;
    h->film = film;
    h->tiles = firn_alloc((size_t)(work->tiles_x * work->tiles_y), sizeof *h->tiles);
    h->samples =
        firn_alloc((size_t)h->way.room * FIRN_LANE_TILE_PIXELS * HOST_PASSES, sizeof *h->samples);
    assert_true(h->tiles != NULL && h->samples != NULL);
    if (firn_lane_scene_create(work, &h->scene, error) != FIRN_OK) fail();
    *out_self = h;
    return FIRN_OK;
}

static void host_lanes_destroy(void* self)
{
    host_lanes* h = self;
    firn_lane_scene_destroy(&h->scene);
    firn_free(h->tiles);
    firn_free(h->samples);
    firn_free(h);
}

static int64_t host_lanes_round(const void* self, int64_t done, int64_t wanted)
{
    (void)self;
    return firn_picture_round(done, wanted);
}

// The next job of a picture; false: there is none.
typedef struct host_queue {
    const host_lanes* h;
    const firn_lane_round* round;
    uint32_t next, end;
} host_queue;

static bool host_fetch(host_queue* q, uint32_t* out_job, firn_lane_start_of* out)
{
    while (q->next < q->end) {
        const uint32_t k = q->next++;
        *out_job = q->h->way.reverse ? q->end - 1 - k : k;
        if (firn_lane_find_job(&q->h->scene, q->round, *out_job, out)) return true;
    }
    return false;
}

static void host_scalar(host_queue* q, firn_path_count* count)
{
    uint32_t job;
    firn_lane_start_of s;
    while (host_fetch(q, &job, &s))
        q->round->samples[job] = (s.at->has_interfaces ? firn_path_trace_fluid : firn_path_trace)(
            &s.at->view, s.ray, s.rng, count);
}

// One warp does it all.
static void host_warp(host_queue* q, firn_path_count* count)
{
    static firn_lane lanes[HOST_WARP];
    uint32_t job[HOST_WARP];
    for (int l = 0; l < HOST_WARP; l++) lanes[l].state = FIRN_LANE_IDLE;
    int alive = HOST_WARP, walking = 0, rare = HOST_WARP;
    for (;;) {
        if (rare >= q->h->way.rare || walking == 0) {
            alive = 0;
            for (int l = 0; l < HOST_WARP; l++) firn_lane_turn_rarely(&lanes[l]);
            for (int l = 0; l < HOST_WARP; l++) {
                firn_lane* lane = &lanes[l];
                firn_lane_start_of s;
                if (lane->state == FIRN_LANE_ENDED) {
                    q->round->samples[job[l]] = firn_path_end(&lane->p);
                    count->lookups += lane->w.lookups;
                    lane->state = FIRN_LANE_IDLE;
                }
                if (lane->state == FIRN_LANE_IDLE && host_fetch(q, &job[l], &s))
                    firn_lane_start(lane, &s.at->view, s.ray, s.rng, count);
                alive += lane->state != FIRN_LANE_IDLE;
            }
            if (alive == 0) return;
        }
        for (int l = 0; l < HOST_WARP; l++) firn_lane_turn(&lanes[l]);
        do {
            walking = rare = 0;
            for (int l = 0; l < HOST_WARP; l++) {
                if (lanes[l].state == FIRN_LANE_WALKS) firn_lane_step(&lanes[l]);
                walking += lanes[l].state == FIRN_LANE_WALKS;
                rare += firn_lane_is_rare(&lanes[l]);
            }
        } while (walking > 0 && rare < q->h->way.rare &&
                 32 * (alive - walking - rare) < q->h->way.waiting * (alive - rare));
    }
}

static firn_result host_lanes_trace(void* self, int64_t first, int64_t passes,
                                    const uint8_t* finished, firn_picture_stats* stats,
                                    firn_error* error)
{
    (void)error;
    host_lanes* h = self;
    firn_path_count count = {0};
    const int32_t all = h->scene.tiles_x * h->scene.tiles_y;
    for (int32_t tile = 0; tile < all;) {
        firn_lane_round r = {
            .first = first, .passes = (int32_t)passes, .tiles = h->tiles, .samples = h->samples};
        for (; tile < all && r.tile_count < h->way.room; tile++)
            if (!finished[tile]) h->tiles[r.tile_count++] = tile;
        host_queue q = {h, &r, 0, (uint32_t)firn_lane_jobs(&r)};
        if (h->way.scalar || h->scene.has_interfaces)
            host_scalar(&q, &count);
        else
            host_warp(&q, &count);
        for (int64_t k = 0; k < (int64_t)r.tile_count * FIRN_LANE_TILE_PIXELS; k++) {
            stats->dropped += firn_lane_add_pixel(&h->scene, &r, k, h->film->pixels);
            if (firn_lane_pixel(&h->scene, r.tiles[k / FIRN_LANE_TILE_PIXELS],
                                (int32_t)(k % FIRN_LANE_TILE_PIXELS)) >= 0)
                stats->paths += passes;
        }
    }
    stats->events += count.events;
    stats->lookups += count.lookups;
    stats->bounces += count.bounces;
    stats->rays += count.rays;
    return FIRN_OK;
}

static firn_result host_lanes_rows(void* self, double* out_light, firn_error* error)
{
    (void)error;
    const firn_film* f = ((host_lanes*)self)->film;
    for (int32_t y = 0; y < f->height; y++)
        out_light[y] = firn_film_row_light(f->pixels, f->width, y);
    return FIRN_OK;
}

static firn_result host_lanes_noise(void* self, float floor_luminance, double* out_square,
                                    firn_error* error)
{
    (void)error;
    const host_lanes* h = self;
    int count;
    for (int32_t t = 0; t < h->scene.tiles_x * h->scene.tiles_y; t++)
        out_square[t] = firn_film_tile_noise(h->film->pixels, h->film->width, h->film->height, t,
                                             floor_luminance, &count);
    return FIRN_OK;
}

static firn_result host_lanes_fetch(void* self, firn_error* error)
{
    (void)self;
    (void)error;
    return FIRN_OK;
}

static const firn_picture_machine picture_on_host_lanes = {
    host_lanes_create, host_lanes_destroy, host_lanes_round, host_lanes_trace,
    host_lanes_rows,   host_lanes_noise,   host_lanes_fetch};
