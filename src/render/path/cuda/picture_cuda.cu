// SPDX-License-Identifier: MIT
// Pictures on a CUDA device: rounds of passes in batches, noise, and the film at the end. The
// kernels that trace are in picture_trace.cu.
#include "render/path/cuda/picture_cuda.h"

#include "core/memory.h"
#include "core/timer.h"
#include "render/path/cuda/picture_cuda.cuh"

namespace {

const int64_t ROOM_MAX = 1 << 24, ROOM_MIN = 1 << 16;  // samples of a batch
const double ROUND_SECONDS = 0.25;                     // shorter rounds get longer

// ---- film ---------------------------------------------------------------------------------------

__global__ void sum_rows(const firn_film_pixel* film, int32_t width, int32_t height, double* out)
{
    const int32_t y = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (y < height) out[y] = firn_film_row_light(film, width, y);
}

__global__ void measure_tiles(const firn_film_pixel* film, int32_t width, int32_t height,
                              int32_t tiles, float floor_luminance, double* out)
{
    const int32_t tile = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    int count;
    if (tile < tiles)
        out[tile] = firn_film_tile_noise(film, width, height, tile, floor_luminance, &count);
}

int blocks_for(int64_t threads, int each)
{
    return (int)((threads + each - 1) / each);
}

// ---- a picture ----------------------------------------------------------------------------------

firn_cuda_picture* of(void* self)
{
    return (firn_cuda_picture*)self;
}

int32_t tiles_of(const firn_cuda_picture* p)
{
    return p->work.tiles_x * p->work.tiles_y;
}

firn_result use(const firn_cuda_picture* p, firn_error* error)
{
    FIRN_CUDA_TRY(cudaSetDevice(p->device), error, "choosing the device");
    return FIRN_OK;
}

void destroy(void* self)
{
    firn_cuda_picture* p = of(self);
    cudaSetDevice(p->device);
    if (p->stream != nullptr) cudaStreamSynchronize(p->stream);
    firn_cuda_give_back(&p->memory);
    for (int k = 0; k < FIRN_SHUTTER_SAMPLES; k++) firn_colliders_cuda_destroy(p->bodies[k]);
    if (p->stream != nullptr) cudaStreamDestroy(p->stream);
    (void)cudaGetLastError();
    firn_lane_scene_destroy(&p->scene);
    firn_free(p->tiles);
    firn_free(p);
}

// Room for samples: as much as can be had, since short batches leave threads idle at their ends.
firn_result make_samples(firn_cuda_picture* p, firn_error* error)
{
    const char* doing = "making room for the paths of a picture";
    void* samples = nullptr;
    for (p->room = ROOM_MAX;; p->room /= 2) {
        firn_error why = {};
        const size_t bytes = (size_t)p->room * sizeof *p->samples;
        const firn_result r = firn_cuda_alloc(&samples, bytes, doing, &why);
        if (r == FIRN_OK) break;
        if (r != FIRN_BROKEN_MEMORY || p->room <= ROOM_MIN)
            return firn_fail(error, r, "%s", why.text);
    }
    p->memory.array[p->memory.count++] = samples;
    p->memory.bytes += (size_t)p->room * sizeof *p->samples;
    p->samples = (firn_film_sample*)samples;
    return FIRN_OK;
}

firn_result make_film(firn_cuda_picture* p, firn_error* error)
{
    const char* doing = "making room for a picture";
    const size_t pixels = (size_t)p->work.width * (size_t)p->work.height;
    const size_t tiles = (size_t)tiles_of(p), rows = (size_t)p->work.height;
    firn_cuda_taking t = {&p->memory, cudaSuccess, 0};
    firn_cuda_take(t, &p->pixels, pixels);
    firn_cuda_take(t, &p->device_tiles, tiles);
    firn_cuda_take(t, &p->tally, 1);
    firn_cuda_take(t, &p->sums, tiles > rows ? tiles : rows);
    if (t.status == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return firn_cuda_no_memory(t.bytes, doing, error);
    }
    FIRN_CUDA_TRY(t.status, error, doing);
    FIRN_CUDA_TRY(cudaMemsetAsync(p->pixels, 0, pixels * sizeof *p->pixels, p->stream), error,
                  doing);
    return FIRN_OK;
}

firn_result prepare(firn_cuda_picture* p, firn_error* error)
{
    FIRN_TRY(use(p, error));
    FIRN_TRY(firn_lane_scene_create(&p->work, &p->scene, error));
    p->tiles = (int32_t*)firn_alloc((size_t)tiles_of(p), sizeof *p->tiles);
    if (p->tiles == nullptr)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a picture's tiles");
    FIRN_CUDA_TRY(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking), error,
                  "preparing to trace a picture");
    FIRN_TRY(firn_cuda_picture_upload(p, error));
    FIRN_TRY(make_film(p, error));
    FIRN_TRY(make_samples(p, error));
    FIRN_TRY(firn_cuda_picture_blocks(p, error));
    FIRN_CUDA_TRY(cudaStreamSynchronize(p->stream), error, "preparing to trace a picture");
    return FIRN_OK;
}

firn_result create(const firn_picture_work* work, firn_film* film, int device, void** out_self,
                   firn_error* error)
{
    firn_cuda_picture* p = (firn_cuda_picture*)firn_alloc(1, sizeof *p);
    if (p == nullptr) return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a picture");
    p->device = device;
    p->work = *work;
    p->film = film;
    p->passes = 1;
    const firn_result r = prepare(p, error);
    if (r == FIRN_OK)
        *out_self = p;
    else
        destroy(p);
    return r;
}

// Where tiles may be finished early the rounds are those of the CPU, so that they end at the same
// passes; else the film does not depend on rounds, and they are as long as the user is patient.
int64_t round_of(const void* self, int64_t done, int64_t wanted)
{
    const firn_cuda_picture* p = (const firn_cuda_picture*)self;
    if (p->work.may_finish) return firn_picture_round(done, wanted);
    return p->passes < wanted - done ? p->passes : wanted - done;
}

// Lists the tiles that are not finished; returns the number of their pixels.
int64_t list_tiles(firn_cuda_picture* p, const uint8_t* finished)
{
    int64_t pixels = 0;
    p->tile_count = 0;
    for (int32_t t = 0; t < tiles_of(p); t++) {
        if (finished[t] != 0) continue;
        p->tiles[p->tile_count++] = t;
        const int32_t right = p->work.width - t % p->work.tiles_x * FIRN_FILM_TILE,
                      below = p->work.height - t / p->work.tiles_x * FIRN_FILM_TILE;
        pixels += (int64_t)(right < FIRN_FILM_TILE ? right : FIRN_FILM_TILE) *
                  (below < FIRN_FILM_TILE ? below : FIRN_FILM_TILE);
    }
    return pixels;
}

firn_result trace_round(firn_cuda_picture* p, int64_t first, int64_t passes, firn_error* error)
{
    FIRN_CUDA_TRY(cudaMemsetAsync(p->tally, 0, sizeof *p->tally, p->stream), error,
                  "starting to trace a picture");
    FIRN_CUDA_TRY(cudaMemcpyAsync(p->device_tiles, p->tiles,
                                  (size_t)p->tile_count * sizeof *p->tiles, cudaMemcpyHostToDevice,
                                  p->stream),
                  error, "starting to trace a picture");
    const int64_t most = p->room / (FIRN_LANE_TILE_PIXELS * passes);
    for (int32_t at = 0; at < p->tile_count;) {
        const int64_t left = p->tile_count - at;
        const int32_t count = (int32_t)(left < most ? left : most);
        const firn_lane_round round = {first, (int32_t)passes, count, p->device_tiles + at,
                                       p->samples};
        FIRN_TRY(firn_cuda_picture_batch(p, round, error));
        at += count;
    }
    return FIRN_OK;
}

// Longer rounds as long as they are short; never longer than a batch.
void choose_passes(firn_cuda_picture* p, double seconds)
{
    const int64_t tile_samples = (int64_t)tiles_of(p) * FIRN_LANE_TILE_PIXELS;
    if (seconds < ROUND_SECONDS && 2 * p->passes * tile_samples <= p->room) p->passes *= 2;
}

firn_result trace(void* self, int64_t first, int64_t passes, const uint8_t* finished,
                  firn_picture_stats* stats, firn_error* error)
{
    firn_cuda_picture* p = of(self);
    const double start = firn_seconds();
    FIRN_TRY(use(p, error));
    const int64_t pixels = list_tiles(p, finished);
    FIRN_TRY(trace_round(p, first, passes, error));
    firn_cuda_tally tally;
    FIRN_CUDA_TRY(
        cudaMemcpyAsync(&tally, p->tally, sizeof tally, cudaMemcpyDeviceToHost, p->stream), error,
        "tracing a picture");
    FIRN_CUDA_TRY(cudaStreamSynchronize(p->stream), error, "tracing a picture");
    stats->paths += pixels * passes;
    stats->events += (int64_t)tally.events;
    stats->lookups += (int64_t)tally.lookups;
    stats->bounces += (int64_t)tally.bounces;
    stats->rays += (int64_t)tally.rays;
    stats->dropped += (int64_t)tally.dropped;
    choose_passes(p, firn_seconds() - start);
    return FIRN_OK;
}

// Brings `count` sums of the last kernel to the host.
firn_result fetch_sums(firn_cuda_picture* p, double* out, int32_t count, firn_error* error)
{
    FIRN_CUDA_TRY(cudaGetLastError(), error, "measuring the noise of a picture");
    FIRN_CUDA_TRY(cudaMemcpyAsync(out, p->sums, (size_t)count * sizeof *out, cudaMemcpyDeviceToHost,
                                  p->stream),
                  error, "measuring the noise of a picture");
    FIRN_CUDA_TRY(cudaStreamSynchronize(p->stream), error, "measuring the noise of a picture");
    return FIRN_OK;
}

firn_result rows(void* self, double* out_light, firn_error* error)
{
    firn_cuda_picture* p = of(self);
    FIRN_TRY(use(p, error));
    sum_rows<<<blocks_for(p->work.height, 32), 32, 0, p->stream>>>(p->pixels, p->work.width,
                                                                   p->work.height, p->sums);
    return fetch_sums(p, out_light, p->work.height, error);
}

firn_result noise(void* self, float floor_luminance, double* out_square, firn_error* error)
{
    firn_cuda_picture* p = of(self);
    FIRN_TRY(use(p, error));
    measure_tiles<<<blocks_for(tiles_of(p), 32), 32, 0, p->stream>>>(
        p->pixels, p->work.width, p->work.height, tiles_of(p), floor_luminance, p->sums);
    return fetch_sums(p, out_square, tiles_of(p), error);
}

firn_result fetch(void* self, firn_error* error)
{
    firn_cuda_picture* p = of(self);
    FIRN_TRY(use(p, error));
    const size_t bytes = (size_t)p->work.width * (size_t)p->work.height * sizeof *p->pixels;
    FIRN_CUDA_TRY(
        cudaMemcpyAsync(p->film->pixels, p->pixels, bytes, cudaMemcpyDeviceToHost, p->stream),
        error, "bringing a picture to the host");
    FIRN_CUDA_TRY(cudaStreamSynchronize(p->stream), error, "bringing a picture to the host");
    return FIRN_OK;
}

}  // namespace

extern const firn_picture_machine firn_picture_on_cuda = {create, destroy, round_of, trace,
                                                          rows,   noise,   fetch};
