// SPDX-License-Identifier: MIT
// A simulation on a CUDA device, as far as all solvers have it: streams, colliders, the arrays of
// the state, snapshots, records, batches as graphs. A solver fills firn_cuda_kernels and derives
// its simulation from firn_cuda_sim and its control block from firn_cuda_control.
//
//     state      arrays with one element per particle; a table says where in them each particle
//                field lies
//     control    one block on the device that steers the steps of a batch, and its copy in pinned
//                memory of the host, which is valid when no batch is running
#pragma once
#include <cuda_runtime.h>

#include "device/cuda_check.cuh"
#include "device/cuda_memory.cuh"
#include "geometry/collider/colliders_cuda.h"
#include "solver/shared/cuda/cuda_loads.cuh"
#include "solver/shared/cuda_sim.h"

#define FIRN_CUDA_STATE_MAX 20
#define FIRN_CUDA_GRAPHS 8
#define FIRN_CUDA_NO_BATCH (-1)

// The device's half of a step: which one it is, and why the batch ended.
struct firn_cuda_control {
    int halt;        // firn_device_end; not 0: every kernel returns at once
    int steps_left;  // of the batch
    int record;      // index of the next record
    int count;       // particles in the state, culled ones included until they are dropped
    int64_t step;
    double time, frame_time;  // [s]
    double dt_scale, dt;
    float dt_real;
    int last;         // the step reaches the frame's time
    unsigned ticket;  // blocks of threads that have added their part (cuda_reduce.cuh)
};

// An array of the state.
typedef struct firn_cuda_array {
    void* data;
    size_t each;  // bytes per particle; 0: this simulation has no such array
} firn_cuda_array;

// Where a particle field lies: its words of four bytes fill `run` words of an element, from `word`
// on, then go on in the next array. A field of one byte is `bits` bits of a word.
typedef struct firn_cuda_field {
    const char* name;
    int array;        // of the state
    int word, run;    // within an element
    int shift, bits;  // 0 bits: whole words
} firn_cuda_field;

typedef struct firn_force firn_force;      // physics/force_field.h
typedef struct firn_gravity firn_gravity;  // scene/data/gravity.h

// Gravity over time and force fields (cuda/cuda_forces.cuh).
// Argument of kernels, by value. The device's pointers, constant until the simulation is destroyed.
typedef struct firn_cuda_forces {
    firn_gravity* gravity;
    firn_force* fields;
    int field_count;
} firn_cuda_forces;

// Base of a solver's simulation. Everything is owned but what `def` points to.
struct firn_cuda_sim : firn_device_sim {
    const firn_cuda_kernels* kernels;
    firn_cuda_def def;
    cudaStream_t stream, copy;
    cudaEvent_t batch_done, snapshot_done;
    firn_colliders_cuda* bodies;
    firn_cuda_memory particles;                  // everything that has the size of `def.capacity`
    firn_cuda_memory work;                       // what `grow` makes larger
    firn_cuda_array state[FIRN_CUDA_STATE_MAX];  // firn_cuda_take_state
    firn_cuda_array snapshot[FIRN_CUDA_STATE_MAX];
    void* device_control;        // on the device
    void* snapshot_control;      // on the device
    void* device_records;        // on the device
    void* records;               // pinned
    firn_cuda_control* control;  // pinned
    firn_cuda_loads loads;       // on the device
    firn_cuda_forces forces;     // on the device
    firn_impulse* load_steps;    // pinned: loads.steps of the last batch
    uint8_t* staging;            // on the device: fields on their way to and from the host
    void* lump_stage;            // pinned: dynamic colliders on their way to the device; null: none
    int snapshot_count;
    int variant;  // of the last batch; FIRN_CUDA_NO_BATCH: none since the upload
    int snapshot_variant;
    cudaGraphExec_t graph[FIRN_CUDA_GRAPHS];  // null: not captured yet
    bool running;
};

// What a solver fills. Functions are called with the device current and no batch running.
struct firn_cuda_kernels {
    const char* fewer;  // what to do when memory is short: "fewer particles, a larger cell"
    size_t size;        // of the solver's simulation
    size_t control_size, record_size;
    int batch_max;                  // most steps of a batch
    const firn_cuda_field* fields;  // all particle fields that there may be; ends with a null name
    int gone;  // array of the state with one byte per particle, not 0 where it was culled; -1: none
    // Takes memory and constants; calls firn_cuda_take_shared once.
    firn_result (*create)(firn_cuda_sim* sim, const void* own, firn_error* error);
    // Updates sim->state after arrays were swapped (double buffers). Null: they never are.
    void (*find_state)(firn_cuda_sim* sim);
    // After particles came from the host; the control block is zero but for `count`. As
    // firn_device_ops.upload. Null: nothing to do.
    firn_result (*uploaded)(firn_cuda_sim* sim, int64_t step, double* carried, firn_local* out_bad,
                            firn_error* error);
    // After state and control block came back from the snapshot. Null: nothing to do.
    firn_result (*rolled_back)(firn_cuda_sim* sim, firn_error* error);
    // Launches the steps of a batch; returns at once.
    firn_result (*launch)(firn_cuda_sim* sim, const firn_device_batch* batch, firn_error* error);
    // More memory after a step that ended with FIRN_DEVICE_ROOM. Null: none ends so.
    firn_result (*grow)(firn_cuda_sim* sim, firn_error* error);
    // New settings. Null: there are none.
    firn_result (*change)(firn_cuda_sim* sim, const void* settings, firn_error* error);
    // Uploads the dynamic colliders of a step. Null: the solver never gives any.
    firn_result (*take_lumps)(firn_cuda_sim* sim, const firn_lumps* lumps, firn_error* error);
    // As firn_device_ops.meet_time; called where no batch has been launched since the upload. Null:
    // nothing depends on the time.
    firn_result (*meet_time)(firn_cuda_sim* sim, double time, double* carried, firn_error* error);
};

// Takes array k of the state.
template <typename T>
static inline void firn_cuda_take_state(firn_cuda_sim* sim, firn_cuda_taking& taking, int k,
                                        T** array)
{
    firn_cuda_take(taking, array, (size_t)sim->def.capacity);
    sim->state[k] = {*array, sizeof(T)};
}

// Ends a solver's taking of `particles`: control block, records, snapshot and staging come with
// them. Fails with the numbers where the device has too little memory; `what`: "its particles".
firn_result firn_cuda_take_shared(firn_cuda_sim* sim, firn_cuda_taking* taking, const char* what,
                                  firn_error* error);
firn_result firn_cuda_no_room(const firn_cuda_sim* sim, size_t bytes, const char* what,
                              firn_error* error);
void firn_cuda_forget_graphs(firn_cuda_sim* sim);
// Copies the scene's gravity to the device, in stream order: it may have changed.
firn_result firn_cuda_bring_gravity(firn_cuda_sim* sim, firn_error* error);
// Of the sums of all colliders in so many steps.
static inline size_t firn_cuda_loads_bytes(const firn_cuda_sim* sim, int steps)
{
    return (size_t)steps * (size_t)(sim->def.collider_count + 1) * sizeof(firn_impulse);
}
// A batch's orders to the control block, for solvers that add nothing to firn_cuda_take_orders.
void firn_cuda_launch_orders(firn_cuda_sim* sim, const firn_device_batch* batch);
// Ends the capture of sim->stream, in which `launched` is what the launches gave.
firn_result firn_cuda_instantiate(firn_cuda_sim* sim, cudaError_t launched, cudaGraphExec_t* graph,
                                  firn_error* error);

// Launches one of the simulation's graphs. Where it does not exist yet it is captured first:
// capture() launches what belongs into it on sim->stream and gives a cudaError_t.
template <typename Capture>
static inline firn_result firn_cuda_launch_graph(firn_cuda_sim* sim, int which, Capture capture,
                                                 firn_error* error)
{
    cudaGraphExec_t* graph = &sim->graph[which];
    if (*graph == nullptr) {
        FIRN_CUDA_TRY(cudaStreamBeginCapture(sim->stream, cudaStreamCaptureModeThreadLocal), error,
                      "beginning to capture a step");
        FIRN_TRY(firn_cuda_instantiate(sim, capture(), graph, error));
    }
    FIRN_CUDA_TRY(cudaGraphLaunch(*graph, sim->stream), error, "launching a step");
    return FIRN_OK;
}

// cuda_sim_state.cu: the operations on particles.
firn_result firn_cuda_upload(firn_device_sim* sim, const firn_particles* from, int64_t step,
                             double* carried, firn_local* out_bad, firn_error* error);
firn_result firn_cuda_download(firn_device_sim* sim, bool of_snapshot, firn_particles* to,
                               firn_error* error);
firn_result firn_cuda_field_of(firn_device_sim* sim, bool of_snapshot, const firn_field* field,
                               bool wait, firn_device_field* out, firn_error* error);
firn_result firn_cuda_meet_time(firn_device_sim* sim, double time, double* carried,
                                firn_error* error);
firn_result firn_cuda_snapshot(firn_device_sim* sim, firn_error* error);
firn_result firn_cuda_rollback(firn_device_sim* sim, firn_error* error);
firn_result firn_cuda_restore_control(firn_cuda_sim* sim, firn_error* error);  // from the snapshot
firn_result firn_cuda_use(const firn_cuda_sim* sim, firn_error* error);  // makes its device current

#ifdef __CUDACC__
// The common part of a batch's orders; by one thread, before its first step.
static __device__ __forceinline__ void firn_cuda_take_orders(firn_cuda_control* c,
                                                             const firn_device_batch& batch)
{
    c->halt = 0;
    c->record = 0;
    c->ticket = 0;
    c->steps_left = batch.steps;
    c->step = batch.step;
    c->time = batch.time;
    c->frame_time = batch.frame_time;
    c->dt_scale = batch.dt_scale;
}

// True where the batch has ended; it ends here where it has had its steps.
static __device__ __forceinline__ bool firn_cuda_has_ended(firn_cuda_control* c)
{
    if (c->halt == 0 && c->steps_left <= 0) c->halt = FIRN_DEVICE_ENOUGH;
    return c->halt != 0;
}

// What a record says of the step that begins or ends.
static __device__ __forceinline__ void firn_cuda_record_step(const firn_cuda_control* c,
                                                             firn_device_record* r)
{
    r->step = c->step;
    r->time = c->time;
    r->dt = c->dt;
    r->entries = c->count;
}

// The step is done, or failed: the batch goes on, or ends.
static __device__ __forceinline__ void firn_cuda_end_step(firn_cuda_control* c,
                                                          const firn_device_record* r)
{
    c->time += c->dt;
    c->step++;
    c->record++;
    c->steps_left--;
    c->halt = r->end;
}

static __device__ __forceinline__ void firn_cuda_stamp(firn_device_record* r, int which)
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    r->stamp[which] = now;
}

// scene/run/cull.h, for one particle. Positions that are not finite stay, for the solver to find.
static __device__ __forceinline__ bool firn_cuda_is_culled(const firn_device_cull& cull,
                                                           const firn_shape_tables* shapes,
                                                           firn_vec3 x)
{
    if (!firn_v3_is_finite(x)) return false;
    return (double)x.y < cull.below ||
           (cull.inside >= 0 && firn_phi_shape_distance(shapes, cull.inside, x) < 0) ||
           (cull.outside >= 0 && firn_phi_shape_distance(shapes, cull.outside, x) > 0);
}
#endif
