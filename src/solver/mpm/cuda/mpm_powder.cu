// SPDX-License-Identifier: MIT
// What breaking snow sheds on a GPU (shed of solver/shared/powder/powder.c): at the end of a tick,
// counted by chunks of particles, which one thread puts in order, then written in the particles'
// order. The points are the host's from then on (firn_powder_take): they are few, and act on
// nothing here.
#include "math/bspline.h"
#include "physics/powder.h"
#include "solver/mpm/cuda/device_nodes.cuh"
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/mpm/outside/air_exposure.h"
#include "solver/shared/cuda/cuda_air.cuh"

namespace {

const int THREADS = 256, EACH = FIRN_MPM_POWDER_CHUNK / THREADS, BLOCKS = 132 * 8;

__device__ __forceinline__ bool is_idle(const firn_mpm_device& d)
{
    return firn_mpm_idle(d) || d.control->ticks == 0;
}

// Share of the surface of a particle that is open to the air, by the masses that nodes had at the
// start of the step (open_share of outside/mpm_powder.c).
__device__ float open_share(const firn_mpm_device& d, firn_vec3 x, float mass, float density)
{
    const firn_weights w = firn_weights_of(FIRN_SPLINE_CUBIC, x, d.grid.inverse_cell);
    const firn_mpm_nodes nodes = {&d};
    float sum = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int c = 0; c < 4; c++) {
                const int i =
                    firn_mpm_nodes_find(&nodes, w.base[0] + a, w.base[1] + b, w.base[2] + c);
                if (i >= 0)
                    sum = fmaf(w.w[0][a] * w.w[1][b] * w.w[2][c], firn_mpm_nodes_mass(&nodes, i),
                               sum);
            }
    return firn_mpm_exposure(w.w, mass / density, sum / density, d.grid.inverse_cell);
}

// Particle p after the tick: what has broken of its mass, and the points that come of it.
struct shedding {
    firn_vec3 x, v, wind;
    float mass, before, after;  // shares of the mass
    int64_t first, end;         // numbers of its new points
};

__device__ shedding shed_of(const firn_mpm_device& d, int p)
{
    const firn_mpm_control* c = d.control;
    const float4 at = d.at[p], motion = d.motion[p];
    const float2 broken = d.powder.broken[p];
    shedding s = {firn_v3(at.x, at.y, at.z),
                  firn_v3(motion.x, motion.y, motion.z),
                  {},
                  at.w,
                  broken.x,
                  broken.x,
                  0,
                  0};
    if (motion.w == broken.y) return s;
    const double time = c->time + c->dt, seconds = time - c->tick_time;
    const firn_powder_law* law = &d.powder.law;
    s.wind = firn_cuda_wind_at(*d.air, d.wind, s.x, time);
    const double speed = (double)firn_v3_length(firn_v3_sub(s.v, s.wind));
    const double J = (double)motion.w, J_before = (double)broken.y;
    // the last factor is the expensive one
    double more = firn_powder_broken(law, J_before, J, seconds, speed, 1);
    if (!(more > 0)) return s;
    const float density = d.materials[__float_as_int(d.strain2[p].w)].density;
    more = firn_powder_broken(law, J_before, J, seconds, speed,
                              (double)open_share(d, s.x, s.mass, density));
    s.after += (float)more;
    if (!(s.after > s.before)) return s;
    s.first = firn_powder_number(law, d.id[p], (double)s.before);
    s.end = firn_powder_number(law, d.id[p], (double)s.after);
    return s;
}

// New points of this thread's particles of chunk `chunk`.
__device__ __forceinline__ int count_own(const firn_mpm_device& d, int chunk)
{
    const int first = chunk * FIRN_MPM_POWDER_CHUNK + (int)threadIdx.x * EACH;
    int count = 0;
    for (int p = first; p < min(first + EACH, d.control->count); p++) {
        if (d.gone != nullptr && d.gone[p] != 0) continue;
        const shedding s = shed_of(d, p);
        count += (int)(s.end - s.first);
    }
    return count;
}

__device__ __forceinline__ int chunks_of(const firn_mpm_device& d)
{
    return (d.control->count + FIRN_MPM_POWDER_CHUNK - 1) / FIRN_MPM_POWDER_CHUNK;
}

__global__ void __launch_bounds__(THREADS) count(const __grid_constant__ firn_mpm_device d)
{
    if (is_idle(d)) return;
    for (int chunk = blockIdx.x; chunk < chunks_of(d); chunk += gridDim.x) {
        const int own = count_own(d, chunk);
        const unsigned all = 0xffffffffu;
        __shared__ int sums[THREADS / 32];
        const int sum = __reduce_add_sync(all, own);
        if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            int total = 0;
            for (int w = 0; w < THREADS / 32; w++) total += sums[w];
            d.powder.chunk[chunk] = total;
        }
        __syncthreads();
    }
}

// Where the points of each chunk begin; by one thread.
__global__ void order(const __grid_constant__ firn_mpm_device d)
{
    if (is_idle(d)) return;
    int64_t begin = 0;
    for (int chunk = 0; chunk < chunks_of(d); chunk++) {
        const int64_t own = d.powder.chunk[chunk];
        d.powder.chunk[chunk] = begin;
        begin += own;
    }
    d.control->shed = begin;
}

// Sum of `own` of the threads before this one in its block.
__device__ __forceinline__ int before_in_block(int own)
{
    const unsigned all = 0xffffffffu;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    __shared__ int sums[THREADS / 32];
    int sum = own;
    for (int k = 1; k < 32; k *= 2) {
        const int other = __shfl_up_sync(all, sum, k);
        if (lane >= k) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    int before = sum - own;
    for (int w = 0; w < warp; w++) before += sums[w];
    __syncthreads();
    return before;
}

__device__ void write_points(const firn_mpm_device& d, int p, const shedding& s, int64_t k)
{
    const firn_mpm_control* c = d.control;
    const firn_powder_law* law = &d.powder.law;
    const double seconds = c->time + c->dt - c->tick_time;
    for (int64_t n = s.first; n < s.end && k < d.powder.capacity; n++, k++) {
        const firn_powder_point point =
            firn_powder_born(law, d.id[p], n, s.x, s.v, s.wind, d.powder.spacing, seconds);
        firn_powder_birth* out = &d.powder.born[k];
        out->point = point;
        out->mass = (float)firn_powder_mass(law, (double)s.mass);
        out->material = __float_as_int(d.strain2[p].w);
    }
}

__global__ void __launch_bounds__(THREADS) shed(const __grid_constant__ firn_mpm_device d)
{
    if (is_idle(d)) return;
    for (int chunk = blockIdx.x; chunk < chunks_of(d); chunk += gridDim.x) {
        int64_t k = d.powder.chunk[chunk] + before_in_block(count_own(d, chunk));
        const int first = chunk * FIRN_MPM_POWDER_CHUNK + (int)threadIdx.x * EACH;
        for (int p = first; p < min(first + EACH, d.control->count); p++) {
            if (d.gone != nullptr && d.gone[p] != 0) continue;
            const shedding s = shed_of(d, p);
            write_points(d, p, s, k);
            k += s.end - s.first;
            d.powder.broken[p] = make_float2(s.after, d.motion[p].w);
        }
    }
}

}  // namespace

void firn_mpm_launch_shed(const firn_mpm_device* d, cudaStream_t stream)
{
    if (d->powder.born == nullptr) return;
    count<<<BLOCKS, THREADS, 0, stream>>>(*d);
    order<<<1, 1, 0, stream>>>(*d);
    shed<<<BLOCKS, THREADS, 0, stream>>>(*d);
}
