// SPDX-License-Identifier: MIT
// What Algorithm 1 does not number, on a GPU: orders of a batch, the length of a step, its
// beginning and end, what it found, and force fields.
#include <climits>

#include "solver/shared/cuda/cuda_forces.cuh"
#include "solver/sph/cuda/sph_climate.h"
#include "solver/sph/cuda/sph_device.cuh"
#include "solver/sph/laws/fluid_error.h"
#include "solver/sph/laws/gravity.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;
// As in support/sph_run.c: errors above which a solve fails.
const double PRESSURE_ASTRAY = 0.05, SHEAR_ASTRAY = 100;

__global__ void take_orders(const __grid_constant__ firn_sph_device d, firn_device_batch batch)
{
    firn_cuda_take_orders(d.control, batch);
    firn_sph_control* c = d.control;
    c->dt_factor = batch.carried[FIRN_SPH_CARRIED_DT_FACTOR];
    firn_cuda_take_emission(&c->emission, batch.step, batch.carried[FIRN_SPH_CARRIED_NEXT_ID],
                            batch.carried[FIRN_SPH_CARRIED_EMITTED_UNTIL]);
}

__device__ void begin_step(const firn_sph_device& d)
{
    firn_sph_control* c = d.control;
    if (firn_cuda_has_ended(c)) return;
    firn_sph_stamp(d, FIRN_SPH_STAMP_PREPARE);
    c->dt = 0;
    c->speed2 = c->body_speed2 = 0;
    c->gone = c->cell_count = c->cells_needed = c->wall_cell_count = c->contact_count = c->missing =
        c->stale = c->hold_count = 0;
    c->rows = 0;
    c->pairs = 0;
    c->lost = c->crowded = c->runaway = INT_MAX;
    c->jacobi = firn_sph_jacobi_begin(d.relaxation);
    c->jacobi_lost = 0;
    c->bicg = firn_sph_bicg{};
    c->first_shear = 0;
    c->cr = firn_sph_cr{};
    c->has_snow = !d.fluids;
    c->viscous = 0;
    c->mass = 0;
    c->pressure_goal = d.density_error;
    if (d.climate != nullptr) c->air = firn_sph_air_at(d.climate, c->time);
    c->plastic_low = FIRN_REAL_MAX;
    c->plastic_high = 0;
}

__global__ void begin(const __grid_constant__ firn_sph_device d)
{
    if (threadIdx.x == 0) begin_step(d);
    __syncthreads();
    if (d.control->halt != 0) return;
    for (int b = threadIdx.x; b < d.bodies.count; b += blockDim.x) {
        firn_bodies_pose(d.bodies, b, d.control->time);
        firn_collider* body = &d.bodies.bodies[b];
        if (d.climate != nullptr && body->temperature_of_air)
            body->temperature = (float)d.control->air;
    }
}

// The step cannot be done with the arrays that there are: the host makes room and tries it again.
__device__ void end_for_room(const firn_sph_device& d)
{
    firn_sph_control* c = d.control;
    firn_sph_cuda_record* r = &d.records[c->record++];
    firn_cuda_record_step(c, &r->base);
    r->base.count = c->count;
    c->halt = r->base.end = FIRN_DEVICE_ROOM;
}

__global__ void choose(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    if (c->missing != 0 || c->cells_needed > d.cells.capacity) return end_for_room(d);
    const double left = c->frame_time - c->time;
    const double speed = fmax(sqrt((double)__uint_as_float(c->speed2)),
                              sqrt((double)__uint_as_float(c->body_speed2)));
    c->dt = firn_sph_dt_choose(&d.dt, speed, c->dt_factor, c->dt_scale, left);
    c->last = c->dt >= left;
    c->dt_real = (float)c->dt;
    c->gravity = firn_sph_gravity_at(d.forces.gravity, d.settings.gravity_rise, c->time, c->dt);
    c->gravity_size = firn_sqrt(firn_v3_dot(c->gravity, c->gravity));
    c->excess = firn_sph_excess(c->dt, d.spacing);
    if (d.volumes)
        c->pressure_goal = firn_sph_fluid_error(
            d.density_error,
            firn_sph_usual_acceleration(c->gravity, d.materials, d.material_count, d.spacing),
            c->dt, d.spacing);
}

__global__ void check_lists(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    c->contact_count = d.wall.count > 0 ? (int)d.contact_first[c->cell_count] : 0;
    const bool fits = c->contact_count <= d.contact_capacity;
    if (d.rigid.active && fits) c->hold_count = (int)d.rigid.hold_first[c->contact_count];
    if (c->rows > d.row_capacity || !fits || c->hold_count > d.rigid.capacity)
        return end_for_room(d);
    if (c->crowded == INT_MAX) return;
    firn_sph_cuda_record* r = &d.records[c->record++];
    firn_sph_describe(d, c->crowded, &r->base);
    firn_cuda_record_step(c, &r->base);
    r->base.count = c->count;
    c->halt = r->base.end = FIRN_SPH_CUDA_CROWDED;
}

// Force fields, in a step that will be done.
__global__ void __launch_bounds__(THREADS) push(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const firn_sph_control* c = d.control;
    const float4 motion = d.motion[i];
    d.motion[i] = firn_sph_quad(
        firn_cuda_pushed(d.forces, c->time, c->dt, firn_sph_xyz(d.at[i]), firn_sph_xyz(motion)),
        motion.w);
}

__global__ void stamp(const __grid_constant__ firn_sph_device d, int which)
{
    if (d.control->halt == 0) firn_sph_stamp(d, which);
}

__device__ int find_end(const firn_sph_device& d)
{
    const firn_sph_control* c = d.control;
    if (!(c->cr.residual < 1)) return FIRN_SPH_CUDA_VISCOSITY;
    if (!d.combined && !(c->jacobi.error < PRESSURE_ASTRAY)) return FIRN_SPH_CUDA_PRESSURE;
    if (!(c->bicg.residual < SHEAR_ASTRAY)) return FIRN_SPH_CUDA_SHEAR;
    if (c->runaway != INT_MAX) return FIRN_SPH_CUDA_RUNAWAY;
    return c->last ? FIRN_DEVICE_FRAME : FIRN_DEVICE_GOES_ON;
}

__device__ void fill_record(const firn_sph_device& d, firn_sph_cuda_record* r)
{
    const firn_sph_control* c = d.control;
    firn_cuda_record_step(c, &r->base);
    for (int a = 0; a < 3; a++) r->base.momentum[a] = c->momentum[a];
    r->base.kinetic = c->kinetic;
    r->base.potential = c->potential;
    r->base.max_speed = sqrt((double)__uint_as_float(c->speed2));
    r->base.count = c->count;
    r->elastic = c->elastic;
    r->plastic_min = c->plastic_min;
    r->plastic_max = c->plastic_max;
    r->neighbours = c->count > 0 ? (double)c->pairs / (double)c->count : 0;
    r->pressure_error = c->jacobi.error;
    r->pressure_iterations = c->jacobi.iterations;
    r->pressure_goal = c->pressure_goal;
    r->viscosity_residual = c->cr.residual;
    r->viscosity_iterations = c->cr.iterations;
    r->viscosity_converged = c->cr.converged;
    r->shear_residual = c->bicg.residual;
    r->shear_iterations = c->bicg.iterations;
    r->shear_converged = c->bicg.converged;
    r->cell_count = c->cell_count;
}

__global__ void __launch_bounds__(THREADS)
    end(const __grid_constant__ firn_sph_device d, cudaGraphConditionalHandle loop)
{
    firn_sph_control* c = d.control;
    if (c->halt == 0) firn_cuda_loads_end(d.loads, c->record);
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (c->halt == 0) {
        firn_sph_stamp(d, FIRN_SPH_STAMP_END);
        firn_sph_cuda_record* r = &d.records[c->record];
        fill_record(d, r);
        r->base.end = find_end(d);
        if (r->base.end == FIRN_SPH_CUDA_RUNAWAY) firn_sph_describe(d, c->runaway, &r->base);
        if (r->base.end <= FIRN_DEVICE_FRAME)
            c->dt_factor =
                firn_sph_dt_learn(&d.dt, c->dt_factor, c->bicg.iterations, c->jacobi.iterations);
        r->base.carried[FIRN_SPH_CARRIED_DT_FACTOR] = c->dt_factor;
        r->base.carried[FIRN_SPH_CARRIED_NEXT_ID] = (double)c->emission.next_id;
        r->base.carried[FIRN_SPH_CARRIED_EMITTED_UNTIL] = c->emission.until;
        firn_cuda_end_step(c, &r->base);
    }
    cudaGraphSetConditional(loop, !firn_cuda_has_ended(c));
}

}  // namespace

void firn_sph_launch_orders(const firn_sph_device* d, const firn_device_batch* batch,
                            cudaStream_t stream)
{
    take_orders<<<1, 1, 0, stream>>>(*d, *batch);
}

void firn_sph_launch_begin(const firn_sph_device* d, cudaStream_t stream)
{
    begin<<<1, 64, 0, stream>>>(*d);
}

void firn_sph_launch_choose(const firn_sph_device* d, cudaStream_t stream)
{
    choose<<<1, 1, 0, stream>>>(*d);
}

void firn_sph_launch_push(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->forces.field_count > 0) push<<<d->blocks, THREADS, 0, stream>>>(*d);
}

void firn_sph_launch_check_lists(const firn_sph_device* d, cudaStream_t stream)
{
    check_lists<<<1, 1, 0, stream>>>(*d);
}

void firn_sph_launch_stamp(const firn_sph_device* d, int which, cudaStream_t stream)
{
    stamp<<<1, 1, 0, stream>>>(*d, which);
}

void firn_sph_launch_end(const firn_sph_device* d, cudaGraphConditionalHandle loop,
                         cudaStream_t stream)
{
    end<<<1, THREADS, 0, stream>>>(*d, loop);
}
