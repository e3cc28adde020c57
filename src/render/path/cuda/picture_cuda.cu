// SPDX-License-Identifier: MIT
// Pictures on a CUDA device. Threads stay while there are paths: a thread whose path has ended
// takes the next job of the round. Samples are kept by job and added to the film pixel by pixel, in
// the order of passes: a picture has the same bits in every run.
//
//     warp:  turn, take jobs, go on │ step step step … │ turn, take jobs, go on │ step …
//                                   until WAITING lanes have ended their walk
#include "render/path/cuda/picture_cuda.h"

#include "core/memory.h"
#include "core/timer.h"
#include "render/path/cuda/picture_cuda.cuh"

namespace {

const int THREADS = 128;  // of a block
const int BLOCKS_MIN = 4; // of a multiprocessor
const int WAITING = 8;    // lanes of a warp that wait until all turn (design/0027)
const unsigned ALL = 0xffffffffu;
const int64_t ROOM_MAX = 1 << 24, ROOM_MIN = 1 << 16;  // samples of a batch
const double ROUND_SECONDS = 0.25;                     // shorter rounds get longer

struct trace_args {
    const firn_lane_scene* scene;
    firn_lane_round round;
    unsigned jobs;
    firn_cuda_tally* tally;
};

// ---- tracing ------------------------------------------------------------------------------------

// The scene's constants in shared memory.
__device__ void share_scene(firn_lane_scene* to, const firn_lane_scene* from)
{
    static_assert(sizeof(firn_lane_scene) % sizeof(uint32_t) == 0, "copied by words");
    const uint32_t* words = (const uint32_t*)from;
    for (unsigned k = threadIdx.x; k < sizeof *to / sizeof(uint32_t); k += THREADS)
        ((uint32_t*)to)[k] = words[k];
    __syncthreads();
    if (threadIdx.x == 0) firn_lane_scene_connect(to);
    __syncthreads();
}

// Takes jobs for the lanes of a warp that want one, until each has one or there are none. Called by
// all lanes. start(job, how it begins).
template <typename Start>
__device__ __forceinline__ void take_jobs(const trace_args& a, const firn_lane_scene* scene,
                                          bool wants, bool* more, Start start)
{
    const unsigned lane = threadIdx.x & 31;
    wants = wants && *more;
    for (unsigned asking; (asking = __ballot_sync(ALL, wants)) != 0;) {
        unsigned first = 0;
        if ((int)lane == __ffs((int)asking) - 1)
            first = atomicAdd(&a.tally->next, (unsigned)__popc(asking));
        first = __shfl_sync(ALL, first, __ffs((int)asking) - 1);
        if (!wants) continue;
        const unsigned job = first + (unsigned)__popc(asking & ((1u << lane) - 1));
        firn_lane_start_of s;
        if (job >= a.jobs) {
            wants = *more = false;
        } else if (firn_lane_find_job(scene, &a.round, job, &s)) {
            start(job, s);
            wants = false;
        }
    }
}

__device__ void add_count(unsigned long long* to, int64_t n)
{
    for (int d = 16; d > 0; d >>= 1) n += __shfl_down_sync(ALL, (long long)n, d);
    if ((threadIdx.x & 31) == 0 && n > 0) atomicAdd(to, (unsigned long long)n);
}

__device__ void add_counts(firn_cuda_tally* t, const firn_path_count* count)
{
    add_count(&t->events, count->events);
    add_count(&t->lookups, count->lookups);
    add_count(&t->bounces, count->bounces);
    add_count(&t->rays, count->rays);
}

__global__ void __launch_bounds__(THREADS, BLOCKS_MIN)
    trace_paths(const __grid_constant__ trace_args a)
{
    __shared__ firn_lane_scene scene;
    share_scene(&scene, a.scene);
    firn_path_count count = {0, 0, 0, 0};
    firn_lane lane;
    lane.state = FIRN_LANE_IDLE;
    unsigned job = 0;
    bool more = true;
    for (;;) {
        firn_lane_turn(&lane);
        if (lane.state == FIRN_LANE_ENDED) {
            a.round.samples[job] = firn_path_end(&lane.p);
            count.lookups += lane.w.lookups;
            lane.state = FIRN_LANE_IDLE;
        }
        take_jobs(a, &scene, lane.state == FIRN_LANE_IDLE, &more,
                  [&](unsigned j, const firn_lane_start_of& s) {
                      job = j;
                      firn_lane_start(&lane, &s.at->view, s.ray, s.rng, &count);
                  });
        const int alive = __popc(__ballot_sync(ALL, lane.state != FIRN_LANE_IDLE));
        if (alive == 0) break;
        firn_lane_go_on(&lane);
        int walking;
        do {
            if (lane.state == FIRN_LANE_WALKS) firn_lane_step(&lane);
            walking = __popc(__ballot_sync(ALL, lane.state == FIRN_LANE_WALKS));
        } while (walking > 0 && walking + WAITING > alive);
    }
    add_counts(a.tally, &count);
}

// With interfaces of fluids: vertex by vertex.
__global__ void __launch_bounds__(THREADS)
    trace_fluid_paths(const __grid_constant__ trace_args a)
{
    __shared__ firn_lane_scene scene;
    share_scene(&scene, a.scene);
    firn_path_count count = {0, 0, 0, 0};
    firn_fluid_path f;
    unsigned job = 0;
    bool alive = false, more = true;
    for (;;) {
        take_jobs(a, &scene, !alive, &more, [&](unsigned j, const firn_lane_start_of& s) {
            job = j;
            f = firn_fluid_path_start(&s.at->view, s.ray, s.rng, &count);
            alive = true;
        });
        if (!__any_sync(ALL, alive)) break;
        if (alive) {
            alive = f.p.view->has_interfaces ? firn_fluid_path_vertex(&f)
                                             : firn_path_vertex(&f.p, &f.w);
            if (!alive) {
                a.round.samples[job] = firn_path_end(&f.p);
                count.lookups += f.w.lookups;
            }
        }
        __syncwarp();
    }
    add_counts(a.tally, &count);
}

// ---- film ---------------------------------------------------------------------------------------

__global__ void add_samples(const __grid_constant__ trace_args a, firn_film_pixel* film)
{
    const int64_t index = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= (int64_t)a.round.tile_count * FIRN_LANE_TILE_PIXELS) return;
    const int32_t dropped = firn_lane_add_pixel(a.scene, &a.round, index, film);
    if (dropped > 0) atomicAdd(&a.tally->dropped, (unsigned long long)dropped);
}

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

// As many blocks as run at a time: they stay until the round is done.
firn_result choose_blocks(firn_cuda_picture* p, firn_error* error)
{
    int per_processor = 0, processors = 0;
    FIRN_CUDA_TRY(p->scene.has_interfaces
                      ? cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor,
                                                                      trace_fluid_paths, THREADS, 0)
                      : cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, trace_paths,
                                                                      THREADS, 0),
                  error, "preparing to trace a picture");
    FIRN_CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, p->device),
                  error, "preparing to trace a picture");
    p->blocks = per_processor * processors;
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
    FIRN_TRY(choose_blocks(p, error));
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

// Traces the tiles of a batch and adds their samples to the film.
firn_result trace_batch(firn_cuda_picture* p, const firn_lane_round& round, firn_error* error)
{
    const trace_args a = {p->device_scene, round, (unsigned)firn_lane_jobs(&round), p->tally};
    FIRN_CUDA_TRY(cudaMemsetAsync(&p->tally->next, 0, sizeof p->tally->next, p->stream), error,
                  "starting to trace a picture");
    if (p->scene.has_interfaces)
        trace_fluid_paths<<<p->blocks, THREADS, 0, p->stream>>>(a);
    else
        trace_paths<<<p->blocks, THREADS, 0, p->stream>>>(a);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "starting to trace a picture");
    const int64_t pixels = (int64_t)round.tile_count * FIRN_LANE_TILE_PIXELS;
    add_samples<<<blocks_for(pixels, 256), 256, 0, p->stream>>>(a, p->pixels);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "adding the samples of a picture");
    return FIRN_OK;
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
        FIRN_TRY(trace_batch(p, round, error));
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
    FIRN_CUDA_TRY(cudaMemcpyAsync(p->film->pixels, p->pixels, bytes, cudaMemcpyDeviceToHost,
                                  p->stream),
                  error, "bringing a picture to the host");
    FIRN_CUDA_TRY(cudaStreamSynchronize(p->stream), error, "bringing a picture to the host");
    return FIRN_OK;
}

}  // namespace

extern const firn_picture_machine firn_picture_on_cuda = {create, destroy, round_of, trace,
                                                          rows,   noise,   fetch};
