// SPDX-License-Identifier: MIT
// What Algorithm 1 does not number, on a GPU: orders of a batch, culling, what the state is like,
// the beginning of a step, and force fields.
#include <climits>

#include "solver/grains/cuda/grains_device.cuh"
#include "solver/shared/cuda/cuda_forces.cuh"

namespace {

const int THREADS = FIRN_GRAINS_THREADS;

__global__ void take_orders(const __grid_constant__ firn_grains_device d, firn_device_batch batch)
{
    firn_cuda_take_orders(d.control, batch);
    d.control->gone = 0;
}

__global__ void __launch_bounds__(THREADS)
    look(const __grid_constant__ firn_grains_device d, bool in_step)
{
    firn_grains_control* c = d.control;
    if (in_step && (c->halt != 0 || c->steps_left <= 0)) return;
    const firn_grains_moves* moves = d.moves[c->hot];
    const float4* listed = d.listed[c->cold];
    const bool culls = in_step && d.cull.active && !(c->time < d.cull.start);
    const int count = c->count;
    firn_grains_partial p = firn_grains_partial_none();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        const firn_vec3 x = firn_grains_xyz(moves[i].at), v = firn_grains_xyz(moves[i].motion);
        const bool goes = culls && firn_cuda_is_culled(d.cull, &d.bodies.shapes, x);
        if (d.gone != nullptr) d.gone[i] = goes;
        if (goes) {
            atomicAdd(&c->gone, 1);
            continue;
        }
        const float speed2 = firn_v3_dot(v, v);
        if (firn_grains_is_lost(d, x, speed2)) {
            p.lost = min(p.lost, i);
            continue;
        }
        p.speed2 = fmaxf(p.speed2, speed2);
        firn_grains_moved_add(&p.moved, firn_v3_sub(x, firn_grains_xyz(listed[i])));
    }
    firn_grains_extremes(&p);
    if (threadIdx.x == 0) d.partial[blockIdx.x] = p;
    if (!firn_cuda_is_last_block(&c->ticket)) return;
    firn_grains_all_extremes(d, &p);
    if (threadIdx.x != 0) return;
    c->speed2 = p.speed2;
    c->moved = p.moved;
    c->lost = p.lost;
}

__device__ void end_lost(const firn_grains_device& d)
{
    firn_grains_control* c = d.control;
    firn_grains_cuda_record* r = &d.records[c->record++];
    firn_grains_describe(d, c->lost, r);
    firn_cuda_record_step(c, &r->base);
    r->base.count = c->count - c->gone;
    c->halt = r->base.end = FIRN_GRAINS_CUDA_LOST;
}

__device__ void begin_step(const firn_grains_device& d, cudaGraphConditionalHandle lists)
{
    firn_grains_control* c = d.control;
    cudaGraphSetConditional(lists, 0);
    if (firn_cuda_has_ended(c)) return;
    firn_grains_stamp(d, FIRN_GRAINS_STAMP_PREPARE);
    const double left = c->frame_time - c->time;
    c->dt = firn_grains_dt_choose(&d.dt, sqrt((double)c->speed2), c->dt_scale, left);
    c->last = c->dt >= left;
    if (c->lost != INT_MAX) return end_lost(d);
    c->dt_real = (float)c->dt;
    c->gravity = firn_cuda_gravity(d.forces, c->time, c->dt);
    c->constants = d.constants;
    c->constants.damping_most = firn_grains_damping_most(d.constants.mass, c->dt);
    c->air = firn_grains_air_at(d.climate, c->time);
    c->relist_pending = c->step == 0 || c->gone > 0 || !firn_grains_still(&c->moved, d.skin);
    c->relisted = c->relist_pending;
    const bool recall = c->listed == 0 && c->step > 0;
    c->rebuilt = !recall;
    firn_grains_stamp(d, FIRN_GRAINS_STAMP_01);
    if (c->relist_pending == 0 && !recall) return;
    firn_grains_begin_lists(c);
    cudaGraphSetConditional(lists, 1);
}

__global__ void begin(const __grid_constant__ firn_grains_device d,
                      cudaGraphConditionalHandle lists)
{
    if (threadIdx.x == 0) begin_step(d, lists);
    __syncthreads();
    const firn_grains_control* c = d.control;
    if (c->halt != 0) return;
    for (int b = threadIdx.x; b < d.bodies.count; b += blockDim.x) {
        firn_bodies_pose(d.bodies, b, c->time);
        const firn_grains_body_climate own = d.body_climate[b];
        d.body_temperature[b] = own.of_air ? (float)c->air : own.temperature;
    }
}

__global__ void __launch_bounds__(THREADS) push(const __grid_constant__ firn_grains_device d)
{
    const firn_grains_control* c = d.control;
    if (c->halt != 0) return;
    firn_grains_moves* moves = d.moves[c->hot];
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < c->count; i += gridDim.x * THREADS) {
        const float4 motion = moves[i].motion;
        moves[i].motion = firn_grains_quad(firn_cuda_pushed(d.forces, c->time, c->dt,
                                                            firn_grains_xyz(moves[i].at),
                                                            firn_grains_xyz(motion)),
                                           motion.w);
    }
}

}  // namespace

void firn_grains_launch_orders(const firn_grains_device* d, const firn_device_batch* batch,
                               cudaStream_t stream)
{
    take_orders<<<1, 1, 0, stream>>>(*d, *batch);
}

void firn_grains_launch_look(const firn_grains_device* d, bool in_step, cudaStream_t stream)
{
    look<<<d->blocks, THREADS, 0, stream>>>(*d, in_step);
}

void firn_grains_launch_push(const firn_grains_device* d, cudaStream_t stream)
{
    push<<<d->blocks, THREADS, 0, stream>>>(*d);
}

void firn_grains_launch_begin(const firn_grains_device* d, cudaGraphConditionalHandle lists,
                              cudaStream_t stream)
{
    begin<<<1, 64, 0, stream>>>(*d, lists);
}
