// SPDX-License-Identifier: MIT
// Grains on a GPU, as the host sees it. Grains and their lists live on the device; the host asks
// for *batches* of steps and reads a record of each when the batch is done. Within a batch the
// device chooses dt, lists neighbours anew when somebody has moved too far, meets the frame's time
// and stops at faults by itself; nothing crosses the bus but the records.
//
// What one grain computes is in the headers that the CPU uses (physics/, grain_step.h), and
// everything is added up in the CPU's order: the grains have the CPU's bits.
#pragma once
#include "core/result.h"
#include "physics/grain.h"
#include "solver/grains/grains_fields.h"
#include "solver/grains/support/grains_climate.h"
#include "solver/grains/support/grains_rules.h"

typedef struct firn_collider firn_collider;  // geometry/collider/collider.h
typedef struct firn_shapes firn_shapes;      // geometry/sdf/shape.h

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_GRAINS_CUDA_BATCH 256  // most steps of a batch

// Places of firn_grains_cuda_record.stamp: when these began.
enum {
    FIRN_GRAINS_STAMP_PREPARE,
    FIRN_GRAINS_STAMP_01,
    FIRN_GRAINS_STAMP_02_06,
    FIRN_GRAINS_STAMP_END,
    FIRN_GRAINS_STAMP_COUNT
};

// Constants of a simulation. Start from zero.
typedef struct firn_grains_cuda_def {
    int device;
    firn_local capacity;             // grains
    firn_grain_constants constants;  // damping_most: of each step
    firn_grains_dt_rules dt;
    firn_real skin;             // [m]
    firn_vec3 gravity;          // [m/s^2]
    const firn_shapes* shapes;  // borrowed until destroy
    firn_collider* colliders;   // borrowed until destroy; moved by the host where they deform
    firn_local collider_count;
    firn_grains_climate climate;
    const firn_grains_body_climate* body_climate;  // [collider_count], copied
    bool culls;
    double cull_start;  // [s]
    double cull_below;
    firn_local cull_inside, cull_outside;
} firn_grains_cuda_def;

// Why a batch ended with this step.
typedef enum firn_grains_cuda_end {
    FIRN_GRAINS_CUDA_GOES_ON,
    FIRN_GRAINS_CUDA_FRAME,    // the frame's time is reached
    FIRN_GRAINS_CUDA_ENOUGH,   // as many steps as were asked for; not in a record
    FIRN_GRAINS_CUDA_ROOM,     // lists need more memory: the step has not been done
    FIRN_GRAINS_CUDA_CROWDED,  // a grain has too many neighbours in the mean
    FIRN_GRAINS_CUDA_LOST,     // a grain is not finite or beyond the cells
    FIRN_GRAINS_CUDA_RUNAWAY   // a grain would cross more than its size
} firn_grains_cuda_end;

// What a step did. Energies describe its start.
typedef struct firn_grains_cuda_record {
    int64_t step;
    double time, dt;  // [s] at the start; length
    double momentum[3], kinetic, potential;
    double neighbours;  // of a grain, in the mean
    double heat;        // [J] from air and bodies
    double max_speed;   // [m/s] at the start
    int32_t count;      // grains, after culling
    int32_t cell_count;
    int32_t listed;  // lists were made anew
    int32_t end;     // firn_grains_cuda_end
    // the grain at fault
    uint32_t fault_id;
    int32_t fault_material;
    firn_vec3 fault_position, fault_velocity;
    firn_real fault_radius;
    uint64_t stamp[FIRN_GRAINS_STAMP_COUNT];  // [ns] of the device's clock
} firn_grains_cuda_record;

typedef struct firn_grains_cuda_batch {
    int64_t step;
    double time, frame_time;  // [s] now; where the frame ends
    double dt_scale;
    int steps;  // at most; <= FIRN_GRAINS_CUDA_BATCH
} firn_grains_cuda_batch;

typedef struct firn_grains_cuda firn_grains_cuda;

// FIRN_BROKEN_MEMORY with the numbers when it does not fit.
firn_result firn_grains_cuda_create(const firn_grains_cuda_def* def, firn_grains_cuda** out,
                                    firn_error* error);
void firn_grains_cuda_destroy(firn_grains_cuda* cuda);  // null is fine
size_t firn_grains_cuda_bytes(const firn_grains_cuda* cuda);
bool firn_grains_cuda_deforms(const firn_grains_cuda* cuda);  // bodies deform: batches of one step

// The host's particles to the device, all fields. Lists are made anew, from where grains were
// listed (grains_fields.h).
firn_result firn_grains_cuda_upload(firn_grains_cuda* cuda, const firn_grains_particles* from,
                                    firn_error* error);
// Keeps a copy of the particles, on the device, and returns to it.
firn_result firn_grains_cuda_keep(firn_grains_cuda* cuda, firn_error* error);
firn_result firn_grains_cuda_return(firn_grains_cuda* cuda, firn_error* error);
// Particles to the host: those now, or those of the kept copy while a batch runs on.
firn_result firn_grains_cuda_download(firn_grains_cuda* cuda, bool kept, firn_grains_particles* to,
                                      firn_error* error);
// Batches that begin from now on see what drives each body of def.colliders, and these temperatures
// ([collider_count] of bodies). None may be under way.
firn_result firn_grains_cuda_drive(firn_grains_cuda* cuda, const firn_grains_climate* climate,
                                   const firn_grains_body_climate* body_climate, firn_error* error);
// Begins a batch; returns at once.
firn_result firn_grains_cuda_begin(firn_grains_cuda* cuda, const firn_grains_cuda_batch* batch,
                                   firn_error* error);
// Waits for it. Records: borrowed until the next begin.
firn_result firn_grains_cuda_wait(firn_grains_cuda* cuda,
                                  const firn_grains_cuda_record** out_records, int* out_count,
                                  firn_error* error);
// After a record that ended with ROOM.
firn_result firn_grains_cuda_grow(firn_grains_cuda* cuda, firn_error* error);

#ifdef __cplusplus
}
#endif
