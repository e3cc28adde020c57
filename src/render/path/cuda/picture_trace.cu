// SPDX-License-Identifier: MIT
// The kernels that trace a picture. Threads stay while there are paths: a thread whose path has
// ended takes the next job of the round. Samples are kept by job and added to the film pixel by
// pixel, in the order of passes: a picture has the same bits in every run.
//
//     warp:  rare turn, take jobs │ turn │ step step step … │ turn │ step … │ rare turn …
//            until WAITING lanes have ended their walk in the snow, or RARE wait for the rare turn
#include "render/path/cuda/picture_cuda.cuh"

namespace {

const int THREADS = 128;   // of a block
const int BLOCKS_MIN = 2;  // of a multiprocessor: registers for all of a lane's state
const int WAITING = 20;    // of 32 lanes in the snow, how many wait until all turn (design/0027)
const int RARE = 12;       // how many wait for the rare turn
const unsigned ALL = 0xffffffffu;

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
    int alive = 32, walking = 0, rare = 32;
    for (;;) {
        if (rare >= RARE || walking == 0) {
            firn_lane_turn_rarely(&lane);
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
            alive = __popc(__ballot_sync(ALL, lane.state != FIRN_LANE_IDLE));
            if (alive == 0) break;
        }
        firn_lane_turn(&lane);
        int waiting;
        do {
            if (lane.state == FIRN_LANE_WALKS) firn_lane_step(&lane);
            walking = __popc(__ballot_sync(ALL, lane.state == FIRN_LANE_WALKS));
            rare = __popc(__ballot_sync(ALL, firn_lane_is_rare(&lane)));
            waiting = alive - walking - rare;
        } while (walking > 0 && rare < RARE && 32 * waiting < WAITING * (alive - rare));
    }
    add_counts(a.tally, &count);
}

// With interfaces of fluids: vertex by vertex.
__global__ void __launch_bounds__(THREADS) trace_fluid_paths(const __grid_constant__ trace_args a)
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

__global__ void add_samples(const __grid_constant__ trace_args a, firn_film_pixel* film)
{
    const int64_t index = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= (int64_t)a.round.tile_count * FIRN_LANE_TILE_PIXELS) return;
    const int32_t dropped = firn_lane_add_pixel(a.scene, &a.round, index, film);
    if (dropped > 0) atomicAdd(&a.tally->dropped, (unsigned long long)dropped);
}

}  // namespace

firn_result firn_cuda_picture_blocks(firn_cuda_picture* p, firn_error* error)
{
    int per_processor = 0, processors = 0;
    FIRN_CUDA_TRY(p->scene.has_interfaces ? cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                                &per_processor, trace_fluid_paths, THREADS, 0)
                                          : cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                                &per_processor, trace_paths, THREADS, 0),
                  error, "preparing to trace a picture");
    FIRN_CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, p->device),
                  error, "preparing to trace a picture");
    p->blocks = per_processor * processors;
    return FIRN_OK;
}

firn_result firn_cuda_picture_batch(firn_cuda_picture* p, const firn_lane_round& round,
                                    firn_error* error)
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
    add_samples<<<(unsigned)((pixels + 255) / 256), 256, 0, p->stream>>>(a, p->pixels);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "adding the samples of a picture");
    return FIRN_OK;
}
