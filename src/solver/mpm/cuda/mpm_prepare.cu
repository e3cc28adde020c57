// SPDX-License-Identifier: MIT
// What the paper does not number, on a GPU: the size of a step, its beginning and end, what it
// found; speeds and stress of particles that come from the host; moving particles in store.
#include <climits>

#include "solver/mpm/cuda/device_stress.cuh"
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/shared/cuda/cuda_forces.cuh"

namespace {

const int THREADS = 256;

__device__ void begin_step(const firn_mpm_device& d)
{
    firn_mpm_control* c = d.control;
    if (firn_cuda_has_ended(c)) return;
    firn_mpm_stamp(d, FIRN_STAMP_SORT);
    c->left = c->frame_time - c->time;
    c->speed2_now = c->speed2;
    c->sound2_now = c->sound2;
    c->speed = sqrt((double)__uint_as_float(c->speed2));
    c->sound = sqrt((double)__uint_as_float(c->sound2));
    const firn_mpm_dt_facts facts = {d.implicit != 0, c->speed,    c->sound,
                                     c->dt_factor,    c->dt_scale, c->left};
    bool last;
    c->dt = firn_mpm_dt_choose(&d.dt, &facts, &last);
    c->last = last;
    if (c->dt_given > 0) {
        c->dt = c->dt_given;
        c->last = c->dt >= c->left;
    }
    c->dt_real = (float)c->dt;
    c->time_next = c->last ? c->frame_time : c->time + c->dt;
    const double since = c->time + c->dt - c->tick_time;
    c->ticks = d.powder.born != nullptr && (c->last != 0 || !(since < d.powder.tick));
    c->shed = 0;
    c->gravity = firn_cuda_gravity(d.forces, c->time, c->dt);
    c->slow = firn_mpm_slow(c->gravity, d.dt.cell);
    c->speed2 = c->sound2 = 0;
    c->inverted = c->runaway = INT_MAX;
    c->iterations = c->stalled = 0;
    c->residual = 0;
}

__global__ void take_orders(const __grid_constant__ firn_mpm_device d, firn_device_batch batch)
{
    firn_cuda_take_orders(d.control, batch);
    d.control->dt_factor = batch.carried[FIRN_MPM_CARRIED_DT_FACTOR];
    d.control->dt_given = batch.dt;
    firn_cuda_take_emission(&d.control->emission, batch.step,
                            batch.carried[FIRN_MPM_CARRIED_NEXT_ID],
                            batch.carried[FIRN_MPM_CARRIED_EMITTED_UNTIL]);
    d.control->tick_time = batch.carried[FIRN_MPM_CARRIED_TICK];
}

__global__ void check(const __grid_constant__ firn_mpm_device d)
{
    firn_cuda_has_ended(d.control);
}

__global__ void begin(const __grid_constant__ firn_mpm_device d)
{
    if (threadIdx.x == 0) begin_step(d);
    __syncthreads();
    if (d.control->halt != 0) return;
    for (int b = threadIdx.x; b < d.bodies.count; b += blockDim.x)
        firn_bodies_pose(d.bodies, b, d.control->time);
}

// Adds the partial sums of the two passes over particles, in order.
__device__ void add_partials(const firn_mpm_device& d, int p2g, int g2p, firn_mpm_partial* out)
{
    double sum[7] = {};
    double low = FIRN_REAL_MAX, high = -FIRN_REAL_MAX;
    for (int b = threadIdx.x; b < p2g; b += THREADS) {
        const firn_mpm_partial& p = d.partial[b];
        sum[0] += p.mass;
        for (int a = 0; a < 3; a++) sum[1 + a] += p.momentum[a];
        sum[4] += p.kinetic;
        sum[5] += p.potential;
    }
    for (int b = threadIdx.x; b < g2p; b += THREADS) {
        const firn_mpm_partial& p = d.partial[b];
        sum[6] += p.elastic;
        low = fmin(low, p.plastic_min);
        high = fmax(high, p.plastic_max);
    }
    __shared__ double lows[THREADS / 32], highs[THREADS / 32];
    for (int k = 16; k > 0; k >>= 1) {
        low = fmin(low, __shfl_xor_sync(0xffffffffu, low, k));
        high = fmax(high, __shfl_xor_sync(0xffffffffu, high, k));
    }
    if ((threadIdx.x & 31) == 0) {
        lows[threadIdx.x >> 5] = low;
        highs[threadIdx.x >> 5] = high;
    }
    firn_cuda_block_sum<7, THREADS>(sum);
    if (threadIdx.x != 0) return;
    for (int w = 1; w < THREADS / 32; w++) {
        low = fmin(low, lows[w]);
        high = fmax(high, highs[w]);
    }
    *out = firn_mpm_partial{sum[0], {sum[1], sum[2], sum[3]}, sum[4], sum[5], sum[6], low, high};
}

// The mass of all particles, which the solve's stop rule asks for before the end of the step.
__global__ void __launch_bounds__(THREADS)
    add_mass(const __grid_constant__ firn_mpm_device d, int p2g)
{
    if (firn_mpm_idle(d)) return;
    double sum[1] = {0};
    for (int b = threadIdx.x; b < p2g; b += THREADS) sum[0] += d.partial[b].mass;
    firn_cuda_block_sum<1, THREADS>(sum);
    if (threadIdx.x == 0) d.control->mass = sum[0];
}

__device__ int find_end(const firn_mpm_device& d, const firn_mpm_control& now,
                        const firn_device_grid_counts& counts)
{
    if (counts.room != 0) return FIRN_DEVICE_ROOM;
    if (counts.lost != INT_MAX) return FIRN_MPM_CUDA_LOST;
    if (d.implicit && !(now.residual < FIRN_MPM_RESIDUAL_ACCEPTED)) return FIRN_MPM_CUDA_SOLVE;
    if (now.inverted != INT_MAX) return FIRN_MPM_CUDA_INVERTED;
    if (now.runaway != INT_MAX) return FIRN_MPM_CUDA_RUNAWAY;
    return now.last ? FIRN_DEVICE_FRAME : FIRN_DEVICE_GOES_ON;
}

__device__ void describe_fault(const firn_mpm_device& d, firn_mpm_cuda_record* r)
{
    const firn_mpm_control* c = d.control;
    const int p = r->base.end == FIRN_MPM_CUDA_LOST       ? d.grid.counts->lost
                  : r->base.end == FIRN_MPM_CUDA_INVERTED ? c->inverted
                  : r->base.end == FIRN_MPM_CUDA_RUNAWAY  ? c->runaway
                                                          : INT_MAX;
    if (p == INT_MAX) return;
    const float4 at = d.at[p], motion = d.motion[p];
    r->base.fault_id = d.id[p];
    r->base.fault_material = __float_as_int(d.strain2[p].w);
    r->base.fault_position = firn_v3(at.x, at.y, at.z);
    r->base.fault_velocity = firn_v3(motion.x, motion.y, motion.z);
    r->base.fault_value = (double)motion.w;  // J_P
}

__global__ void __launch_bounds__(THREADS)
    end(const __grid_constant__ firn_mpm_device d, int p2g, int g2p)
{
    firn_mpm_control* c = d.control;
    if (c->halt != 0) return;
    __shared__ firn_mpm_partial all;
    firn_cuda_loads_end(d.loads, c->record);
    add_partials(d, p2g, g2p, &all);
    if (threadIdx.x != 0) return;
    firn_mpm_stamp(d, FIRN_STAMP_END);
    // read at once: one after the other, between writes, each read would wait for memory
    const firn_mpm_control now = *c;
    const firn_device_grid_counts counts = *d.grid.counts;
    firn_mpm_cuda_record* r = &d.records[now.record];
    firn_cuda_record_step(&now, &r->base);
    r->residual = now.residual;
    r->iterations = now.iterations;
    r->stalled = now.stalled;
    r->mass = all.mass;
    for (int a = 0; a < 3; a++) r->base.momentum[a] = all.momentum[a];
    r->base.kinetic = all.kinetic;
    r->base.potential = all.potential;
    r->elastic = now.elastic;
    r->plastic_min = now.plastic_min;
    r->plastic_max = now.plastic_max;
    r->base.max_speed = now.speed;
    r->max_sound = now.sound;
    r->base.carried[FIRN_MPM_CARRIED_SPEED] = sqrt((double)__uint_as_float(now.speed2));
    r->base.carried[FIRN_MPM_CARRIED_SOUND] = sqrt((double)__uint_as_float(now.sound2));
    r->base.carried[FIRN_MPM_CARRIED_NEXT_ID] = (double)now.emission.next_id;
    r->base.carried[FIRN_MPM_CARRIED_EMITTED_UNTIL] = now.emission.until;
    r->ticks = now.ticks;
    r->shed = now.shed;
    const double tick_time = now.ticks ? now.time + now.dt : now.tick_time;
    r->base.carried[FIRN_MPM_CARRIED_TICK] = tick_time;
    r->base.count = counts.alive;
    r->occupied_count = counts.occupied_count;
    r->block_count = counts.block_count;
    r->base.end = find_end(d, now, counts);
    describe_fault(d, r);
    if (r->base.end == FIRN_DEVICE_ROOM) {  // it will be tried again
        c->speed2 = now.speed2_now;
        c->sound2 = now.sound2_now;
    }
    double dt_factor = now.dt_factor;
    if (r->base.end <= FIRN_DEVICE_FRAME) {
        if (d.implicit)
            dt_factor = firn_mpm_dt_learn(dt_factor, now.iterations, d.iterations_target);
        c->dt_factor = dt_factor;
        c->elastic = all.elastic;
        c->plastic_min = all.plastic_min;
        c->plastic_max = all.plastic_max;
        c->time = now.time_next;
        c->step = now.step + 1;
        c->tick_time = tick_time;
    }
    r->base.carried[FIRN_MPM_CARRIED_DT_FACTOR] = dt_factor;
    c->record = now.record + 1;
    c->steps_left = now.steps_left - 1;
    c->halt = r->base.end;
    // the host takes the points before others come
    if (now.ticks && c->halt == FIRN_DEVICE_GOES_ON) c->halt = FIRN_DEVICE_ENOUGH;
}

// A thread that has nothing to sum still takes part in the sums of its block.
__global__ void __launch_bounds__(THREADS)
    stress(const __grid_constant__ firn_mpm_device d, bool linear)
{
    firn_device_tally tally = firn_device_tally_none();
    const int count = d.control->count;
    for (int p = blockIdx.x * THREADS + threadIdx.x; p < count; p += gridDim.x * THREADS) {
        if (d.gone != nullptr && d.gone[p] != 0) continue;
        firn_device_strain s = firn_device_strain_read(d, p);
        if (d.creep != nullptr) s.stiffness = d.creep[p];
        const float J = d.healed != nullptr ? d.healed[p] : d.motion[p].w;
        firn_device_stress_write(d, d.materials, linear, p, s, J, tally);
    }
    firn_device_tally_give<THREADS>(d, tally);
}

__global__ void __launch_bounds__(THREADS)
    take_stress_sums(const __grid_constant__ firn_mpm_device d, int blocks, bool forget)
{
    __shared__ firn_mpm_partial all;
    add_partials(d, 0, blocks, &all);
    if (threadIdx.x != 0) return;
    d.control->elastic = all.elastic;
    d.control->plastic_min = all.plastic_min;
    d.control->plastic_max = all.plastic_max;
    if (forget) d.control->speed2 = d.control->sound2 = 0;
}

// Speeds and sound of all particles; `bad`: the first that is not finite.
__global__ void __launch_bounds__(THREADS) measure(const __grid_constant__ firn_mpm_device d)
{
    float speed2 = 0, sound2 = 0;
    const int count = d.control->count;
    for (int p = blockIdx.x * THREADS + threadIdx.x; p < count; p += gridDim.x * THREADS) {
        if (d.gone != nullptr && d.gone[p] != 0) continue;
        const float4 v = d.motion[p];
        const firn_vec3 u = firn_v3(v.x, v.y, v.z);
        const float s = firn_v3_dot(u, u);  // the bits of steps 8 to 10
        if (!(s < FIRN_REAL_MAX))
            atomicMin(&d.control->bad, p);
        else
            speed2 = fmaxf(speed2, s);
        const float4 c = d.strain2[p];
        const firn_mpm_material* mat = &d.materials[__float_as_int(c.w)];
        const float J = d.healed != nullptr ? d.healed[p] : v.w;
        const float stiffness = d.creep != nullptr ? d.creep[p] : c.z;
        const float rate = firn_snow_rate(mat->xi, mat->xi_t, J);
        const float xi = d.varied != nullptr ? rate * d.varied[p].x : rate;
        const float e = firn_snow_hardening_lanes(xi, J, mat->hardening_max) * stiffness;
        sound2 = fmaxf(sound2, mat->sound_squared * e);
    }
    const unsigned all = 0xffffffffu;
    const unsigned speed = __reduce_max_sync(all, __float_as_uint(speed2));
    const unsigned sound = __reduce_max_sync(all, __float_as_uint(sound2 / d.lightest));
    if ((threadIdx.x & 31) != 0) return;
    atomicMax(&d.control->speed2, speed);
    atomicMax(&d.control->sound2, sound);
}

__global__ void begin_measure(const __grid_constant__ firn_mpm_device d)
{
    d.control->speed2 = d.control->sound2 = 0;
    d.control->bad = INT_MAX;
}

// to[k] = from[order[k]]
template <typename T>
__global__ void __launch_bounds__(THREADS)
    collect(const __grid_constant__ firn_mpm_device d, const T* from, T* to)
{
    if (firn_mpm_idle(d)) return;
    const int count = d.grid.counts->alive;
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < count; k += gridDim.x * THREADS)
        to[k] = from[d.grid.order[k]];
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    put_back(const __grid_constant__ firn_mpm_device d, const T* from, T* to)
{
    if (firn_mpm_idle(d)) return;
    const int count = d.grid.counts->alive;
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < count; k += gridDim.x * THREADS)
        to[k] = from[k];
}

__global__ void __launch_bounds__(THREADS) renumber(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const int count = d.grid.counts->alive;
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < count; k += gridDim.x * THREADS) {
        d.grid.order[k] = k;
        if (d.gone != nullptr) d.gone[k] = 0;
    }
}

__global__ void take_count(const __grid_constant__ firn_mpm_device d)
{
    if (!firn_mpm_idle(d)) d.control->count = d.grid.counts->alive;
}

const int MANY = 132 * 8;

template <typename T>
void reorder(const firn_mpm_device* d, T* array, void* scratch, cudaStream_t stream)
{
    if (array == nullptr) return;
    collect<T><<<MANY, THREADS, 0, stream>>>(*d, array, (T*)scratch);
    put_back<T><<<MANY, THREADS, 0, stream>>>(*d, (const T*)scratch, array);
}

}  // namespace

void firn_mpm_launch_orders(const firn_mpm_device* d, const firn_device_batch* batch,
                            cudaStream_t stream)
{
    take_orders<<<1, 1, 0, stream>>>(*d, *batch);
}

void firn_mpm_launch_check(const firn_mpm_device* d, cudaStream_t stream)
{
    check<<<1, 1, 0, stream>>>(*d);
}

void firn_mpm_launch_begin(const firn_mpm_device* d, cudaStream_t stream)
{
    begin<<<1, 64, 0, stream>>>(*d);
}

void firn_mpm_launch_add_mass(const firn_mpm_device* d, const firn_mpm_launch* l,
                              cudaStream_t stream)
{
    add_mass<<<1, THREADS, 0, stream>>>(*d, l->p2g);
}

void firn_mpm_launch_end(const firn_mpm_device* d, const firn_mpm_launch* l, cudaStream_t stream)
{
    end<<<1, THREADS, 0, stream>>>(*d, l->p2g, l->g2p);
}

void firn_mpm_launch_measure(const firn_mpm_device* d, cudaStream_t stream)
{
    begin_measure<<<1, 1, 0, stream>>>(*d);
    measure<<<MANY, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_stress(const firn_mpm_device* d, bool linear, bool forget, cudaStream_t stream)
{
    stress<<<MANY, THREADS, 0, stream>>>(*d, linear);
    take_stress_sums<<<1, THREADS, 0, stream>>>(*d, MANY, forget);
}

cudaError_t firn_mpm_launch_reorder(const firn_mpm_device* d, float4* scratch, cudaStream_t stream)
{
    float4* const quads[] = {d->at,      d->motion,  d->strain0, d->strain1, d->strain2,
                             d->affine0, d->affine1, d->affine2, d->varied,  d->stress0};
    for (float4* array : quads) reorder(d, array, scratch, stream);
    if (d->implicit) {
        reorder(d, d->stress1, scratch, stream);
        reorder(d, d->stress2, scratch, stream);
    } else {
        reorder(d, (float2*)d->stress1, scratch, stream);
    }
    reorder(d, d->hold.grip, scratch, stream);
    reorder(d, d->consolidation, scratch, stream);
    reorder(d, d->creep, scratch, stream);
    reorder(d, d->healed, scratch, stream);
    reorder(d, d->id, scratch, stream);
    reorder(d, d->emitter, scratch, stream);
    reorder(d, d->powder.broken, scratch, stream);
    renumber<<<MANY, THREADS, 0, stream>>>(*d);
    take_count<<<1, 1, 0, stream>>>(*d);
    return cudaGetLastError();
}
