// SPDX-License-Identifier: MIT
// The material point method on a GPU, as the host sees it. Particles and grid live on the device;
// the host asks for *batches* of steps and reads a record of each when the batch is done. Within a
// batch the device chooses dt, meets the frame's time, counts iterations and stops at faults by
// itself; nothing crosses the bus but the records.
//
// clang-format off
//     host    begin(batch)  (writes the last frame)  wait -> records
//     device       step step step step step
// clang-format on
//
// What one particle or node computes is in the headers that the CPU uses (math/, physics/,
// stepNN_*.h); README.md has the table of kernels, design/0009 why they look as they do.
#pragma once
#include "core/result.h"
#include "math/vec3.h"
#include "solver/mpm/mpm_fields.h"
#include "solver/mpm/support/mpm_material.h"
#include "solver/mpm/support/mpm_rules.h"

typedef struct firn_collider firn_collider;  // geometry/collider/collider.h
typedef struct firn_shapes firn_shapes;      // geometry/sdf/shape.h

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_MPM_CUDA_BATCH 64  // most steps of a batch

// Places of firn_mpm_cuda_record.stamp: when these began.
enum {
    FIRN_STAMP_SORT,
    FIRN_STAMP_01_03,
    FIRN_STAMP_04_05,
    FIRN_STAMP_06,
    FIRN_STAMP_07_10,
    FIRN_STAMP_END,
    FIRN_STAMP_COUNT
};

// Constants of a simulation. Start from zero.
typedef struct firn_mpm_cuda_def {
    int device;
    firn_local capacity;  // particles
    firn_real cell;       // h [m]
    firn_vec3 gravity;    // [m/s^2]
    firn_real mass_min;   // [kg] lighter nodes are empty
    firn_real lightest;   // smallest factor on the density
    int spline;           // 0 cubic, 1 quadratic
    bool affine;          // APIC
    bool varied;          // particles have factors on hardening and thresholds
    bool diagonal;        // preconditioner
    bool may_solve;       // the solve's arrays are wanted
    bool inertial;        // the guess of the solve
    double flip, beta;
    firn_mpm_dt_rules dt;
    double tolerance, speed_floor;
    int max_iterations, iterations_target;
    const firn_mpm_material* materials;  // copied
    firn_local material_count;
    const firn_shapes* shapes;  // borrowed until destroy
    firn_collider* colliders;   // borrowed until destroy; moved by the host where they deform
    firn_local collider_count;
    bool culls;
    double cull_start;  // [s]
    double cull_below;
    firn_local cull_inside, cull_outside;
} firn_mpm_cuda_def;

// Why a batch ended with this step.
typedef enum firn_mpm_cuda_end {
    FIRN_MPM_CUDA_GOES_ON,
    FIRN_MPM_CUDA_FRAME,     // the frame's time is reached
    FIRN_MPM_CUDA_ENOUGH,    // as many steps as were asked for; not in a record
    FIRN_MPM_CUDA_ROOM,      // the grid needs more memory: the step has not been done
    FIRN_MPM_CUDA_LOST,      // a particle is not finite or beyond the grid
    FIRN_MPM_CUDA_SOLVE,     // the linear solve is far from converged
    FIRN_MPM_CUDA_INVERTED,  // a deformation is inverted or not finite
    FIRN_MPM_CUDA_RUNAWAY    // a particle would cross more than a cell
} firn_mpm_cuda_end;

// What a step did. Energies describe its start.
typedef struct firn_mpm_cuda_record {
    int64_t step;
    double time, dt;  // [s] at the start; length
    double residual;
    int32_t iterations, stalled;
    double mass, momentum[3], kinetic, potential, elastic;
    double plastic_min, plastic_max;
    double max_speed, max_sound;    // [m/s] at the start
    double next_speed, next_sound;  // at the end
    double dt_factor;               // after it
    int32_t alive;                  // particles
    int32_t home_count, block_count;
    int32_t end;  // firn_mpm_cuda_end
    // the particle at fault
    uint32_t fault_id;
    int32_t fault_material;
    firn_vec3 fault_position, fault_velocity;
    firn_real fault_plastic_det;
    uint64_t stamp[FIRN_STAMP_COUNT];  // [ns] of the device's clock
} firn_mpm_cuda_record;

typedef struct firn_mpm_cuda_batch {
    int64_t step;
    double time, frame_time;  // [s] now; where the frame ends
    double dt_scale, dt_factor;
    bool implicit;
    int steps;  // at most; <= FIRN_MPM_CUDA_BATCH
} firn_mpm_cuda_batch;

typedef struct firn_mpm_cuda firn_mpm_cuda;

// FIRN_BROKEN_MEMORY with the numbers when it does not fit.
firn_result firn_mpm_cuda_create(const firn_mpm_cuda_def* def, firn_mpm_cuda** out,
                                 firn_error* error);
void firn_mpm_cuda_destroy(firn_mpm_cuda* cuda);  // null is fine
size_t firn_mpm_cuda_bytes(const firn_mpm_cuda* cuda);
bool firn_mpm_cuda_deforms(const firn_mpm_cuda* cuda);  // bodies deform: batches of one step

// The host's particles to the device, all fields.
firn_result firn_mpm_cuda_upload(firn_mpm_cuda* cuda, const firn_mpm_particles* from, int64_t step,
                                 firn_error* error);
// Fastest particle and sound [m/s] of the device's particles now; *out_bad: the first that is not
// finite, or the count.
firn_result firn_mpm_cuda_measure(firn_mpm_cuda* cuda, double* out_speed, double* out_sound,
                                  firn_local* out_bad, firn_error* error);
// Keeps a copy of the particles, on the device, and returns to it.
firn_result firn_mpm_cuda_keep(firn_mpm_cuda* cuda, firn_error* error);
firn_result firn_mpm_cuda_return(firn_mpm_cuda* cuda, firn_error* error);
// Particles to the host: those now, or those of the kept copy while a batch runs on.
firn_result firn_mpm_cuda_download(firn_mpm_cuda* cuda, bool kept, firn_mpm_particles* to,
                                   firn_error* error);
// Batches that begin from now on see what drives each body of def.colliders. None may be under way.
firn_result firn_mpm_cuda_drive(firn_mpm_cuda* cuda, firn_error* error);
// Begins a batch; returns at once.
firn_result firn_mpm_cuda_begin(firn_mpm_cuda* cuda, const firn_mpm_cuda_batch* batch,
                                firn_error* error);
// Waits for it. Records: borrowed until the next begin.
firn_result firn_mpm_cuda_wait(firn_mpm_cuda* cuda, const firn_mpm_cuda_record** out_records,
                               int* out_count, firn_error* error);
// After a record that ended with ROOM.
firn_result firn_mpm_cuda_grow(firn_mpm_cuda* cuda, firn_error* error);

// For tests: nodes of the last step, by their place; [4] reals each.
typedef struct firn_mpm_cuda_nodes {
    firn_local count;          // nodes
    int32_t (*coord)[3];       // node coordinates, owned
    firn_real (*velocity)[4];  // v_i^n, m_i; owned
    firn_real (*now)[4];       // v_i^{n+1}; fourth: 1 where a body decides
} firn_mpm_cuda_nodes;
firn_result firn_mpm_cuda_read_nodes(firn_mpm_cuda* cuda, firn_mpm_cuda_nodes* out_nodes,
                                     firn_error* error);
void firn_mpm_cuda_nodes_free(firn_mpm_cuda_nodes* nodes);

#ifdef __cplusplus
}
#endif
