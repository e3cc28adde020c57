// SPDX-License-Identifier: MIT
// The ballistic solver's kernels and their table: the smallest example of a solver on CUDA
// (CONTRIBUTING.md, "Give a solver a CUDA backend").
#include "device/cuda_reduce.cuh"
#include "solver/ballistic/cuda/ballistic_cuda.h"
#include "solver/ballistic/step01_fall.h"
#include "solver/shared/cuda/cuda_forces.cuh"
#include "solver/shared/cuda_sim.cuh"

namespace {

const int THREADS = 256, BLOCKS = 1024, SUMS = FIRN_BALLISTIC_SUMS;

// The arrays of the state, and where particle fields lie in them.
enum { POSITION, VELOCITY, MASS, MATERIAL, ID, GONE };
const firn_cuda_field fields[] = {{"position", POSITION, 0, 3, 0, 0},
                                  {"velocity", VELOCITY, 0, 3, 0, 0},
                                  {"mass", MASS, 0, 1, 0, 0},
                                  {"material", MATERIAL, 0, 1, 0, 8},
                                  {"id", ID, 0, 1, 0, 0},
                                  {nullptr, 0, 0, 0, 0, 0}};

struct control : firn_cuda_control {
    unsigned long long speed2;  // bits of the largest |v|^2 at the start of the step
};

struct simulation : firn_cuda_sim {
    struct device {  // what kernels are given
        firn_ballistic_cuda_def def;
        firn_ballistic_fall_args fall;
        firn_bodies_view bodies;
        firn_cuda_loads loads;
        firn_cuda_forces forces;
        struct control* control;
        firn_device_record* records;
        double (*partial)[SUMS];  // [BLOCKS]
        float* mass;
        uint32_t *material, *id;
        uint8_t* gone;  // culled
    } d;
};

__global__ void begin(const __grid_constant__ simulation::device d)
{
    control* c = d.control;
    if (threadIdx.x == 0 && !firn_cuda_has_ended(c)) {
        firn_cuda_stamp(&d.records[c->record], 0);
        const double left = c->frame_time - c->time;
        c->dt = firn_ballistic_dt(d.def.dt, c->dt_scale, left);
        c->last = c->dt >= left;
        c->speed2 = 0;
    }
    __syncthreads();
    if (c->halt != 0) return;
    for (int b = threadIdx.x; b < d.bodies.count; b += blockDim.x)
        firn_bodies_pose(d.bodies, b, c->time);
}

// By one thread: the record, and whether the batch goes on.
__device__ void end_step(const simulation::device& d, const double (&sum)[SUMS])
{
    firn_device_record* r = &d.records[d.control->record];
    firn_cuda_stamp(r, 1);
    firn_cuda_record_step(d.control, r);
    for (int a = 0; a < 3; a++) r->momentum[a] = sum[a];
    r->kinetic = sum[3];
    r->potential = sum[4];
    r->count = (int)sum[5];
    r->max_speed = sqrt(__longlong_as_double((long long)d.control->speed2));
    r->end = !isfinite(r->kinetic)  ? FIRN_BALLISTIC_CUDA_NOT_FINITE
             : d.control->last != 0 ? FIRN_DEVICE_FRAME
                                    : FIRN_DEVICE_GOES_ON;
    firn_cuda_end_step(d.control, r);
}

__global__ void __launch_bounds__(THREADS) fall(const __grid_constant__ simulation::device d)
{
    control* c = d.control;
    if (c->halt != 0) return;
    firn_ballistic_fall_args args = d.fall;
    args.dt = (firn_real)c->dt;
    args.gravity = firn_cuda_gravity(d.forces, c->time, c->dt);
    const bool culls = d.def.cull.active && !(c->time < d.def.cull.start);
    firn_impulse* taken = firn_cuda_loads_mine(d.loads);
    double sum[SUMS] = {}, speed2 = 0;
    for (int p = blockIdx.x * THREADS + threadIdx.x; p < c->count; p += gridDim.x * THREADS) {
        const firn_vec3 x = args.position[p];
        if (culls && firn_cuda_is_culled(d.def.cull, &args.shapes, x)) d.gone[p] = 1;
        if (d.gone[p] != 0) continue;
        speed2 = fmax(
            speed2, firn_ballistic_add(sum, d.def.gravity, (double)d.mass[p], x, args.velocity[p]));
        if (d.forces.field_count > 0)
            args.velocity[p] = firn_cuda_pushed(d.forces, c->time, c->dt, x, args.velocity[p]);
        firn_ballistic_fall_particle(&args, p, taken);
    }
    atomicMax(&c->speed2, (unsigned long long)__double_as_longlong(speed2));
    if (!firn_cuda_grid_sum<SUMS, THREADS>(sum, d.partial, &c->ticket)) return;
    firn_cuda_loads_end(d.loads, c->record);
    __syncthreads();
    if (threadIdx.x == 0) end_step(d, sum);
}

firn_result create(firn_cuda_sim* sim, const void* own, firn_error* error)
{
    simulation::device& d = static_cast<simulation*>(sim)->d;
    firn_cuda_taking t = {&sim->particles, cudaSuccess, 0};
    firn_cuda_take_state(sim, t, POSITION, &d.fall.position);
    firn_cuda_take_state(sim, t, VELOCITY, &d.fall.velocity);
    firn_cuda_take_state(sim, t, MASS, &d.mass);
    firn_cuda_take_state(sim, t, MATERIAL, &d.material);
    firn_cuda_take_state(sim, t, ID, &d.id);
    firn_cuda_take_state(sim, t, GONE, &d.gone);
    firn_cuda_take(t, &d.partial, BLOCKS);
    FIRN_TRY(firn_cuda_take_shared(sim, &t, "its particles", error));
    d.def = *(const firn_ballistic_cuda_def*)own;
    d.control = (control*)sim->device_control;
    d.records = (firn_device_record*)sim->device_records;
    d.bodies = firn_colliders_cuda_view(sim->bodies);
    d.loads = sim->loads;
    d.forces = sim->forces;
    d.fall.mass = d.mass;
    d.fall.colliders = d.bodies.bodies;
    d.fall.collider_count = d.bodies.count;
    d.fall.shapes = d.bodies.shapes;
    return FIRN_OK;
}

firn_result launch(firn_cuda_sim* sim, const firn_device_batch* batch, firn_error* error)
{
    const simulation::device& d = static_cast<simulation*>(sim)->d;
    firn_cuda_launch_orders(sim, batch);
    const auto step = [&] {
        begin<<<1, 64, 0, sim->stream>>>(d);
        fall<<<BLOCKS, THREADS, 0, sim->stream>>>(d);
        return cudaGetLastError();
    };
    for (int k = 0; k < batch->steps; k++) FIRN_TRY(firn_cuda_launch_graph(sim, 0, step, error));
    return FIRN_OK;
}

// `settings`: gravity, double[3], of the potential energy. Captured steps have it as an argument.
firn_result change(firn_cuda_sim* sim, const void* settings, firn_error* error)
{
    (void)error;
    firn_cuda_forget_graphs(sim);
    double* gravity = static_cast<simulation*>(sim)->d.def.gravity;
    for (int k = 0; k < 3; k++) gravity[k] = ((const double*)settings)[k];
    return FIRN_OK;
}

}  // namespace

// clang-format off
const firn_cuda_kernels firn_ballistic_kernels = {
    "fewer particles", sizeof(simulation), sizeof(control), sizeof(firn_device_record),
    FIRN_BALLISTIC_CUDA_BATCH, fields, GONE, create,
    nullptr, nullptr, nullptr,  // nothing to do after uploads and rollbacks
    launch,
    nullptr,  // nothing grows
    change,
    nullptr,
};
// clang-format on
