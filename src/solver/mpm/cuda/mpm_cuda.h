// SPDX-License-Identifier: MIT
// The material point method on a CUDA device: what is specific to it beside cuda_sim.h.
// What one particle or node computes is in the headers that the CPU uses (math/, physics/,
// stepNN_*.h); README.md has the table of kernels, design/0009 why they look as they do.
#pragma once
#include "math/vec3.h"
#include "physics/powder.h"
#include "solver/mpm/material/mpm_material.h"
#include "solver/mpm/support/mpm_rules.h"
#include "solver/shared/cuda/device_air.h"
#include "solver/shared/cuda/device_flakes.h"
#include "solver/shared/cuda_sim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_MPM_CUDA_BATCH 64  // most steps of a batch

// Entries of firn_device_record.stamp: when these began.
enum {
    FIRN_STAMP_SORT,
    FIRN_STAMP_01_03,
    FIRN_STAMP_04_05,
    FIRN_STAMP_06,
    FIRN_STAMP_07_10,
    FIRN_STAMP_END
};

// Entries of firn_device_batch.carried.
enum {
    FIRN_MPM_CARRIED_DT_FACTOR,  // learnt from iteration counts; the host's
    FIRN_MPM_CARRIED_SPEED,      // [m/s] of the fastest particle; the device's
    FIRN_MPM_CARRIED_SOUND,      // [m/s] the device's
    FIRN_MPM_CARRIED_NEXT_ID,
    FIRN_MPM_CARRIED_EMITTED_UNTIL,
    FIRN_MPM_CARRIED_TICK  // [s] of the powder's last tick
};

// Powder that snow sheds (physics/powder.h). Zeroed: none.
typedef struct firn_mpm_powder_def {
    firn_powder_law law;
    double tick;        // [s] firn_powder_tick_least
    firn_local most;    // points of a tick; 0: no powder
    firn_real spacing;  // [m] edge of the cube that a particle fills
} firn_mpm_powder_def;

typedef struct firn_velocity_volume firn_velocity_volume;  // geometry/levelset/velocity_volume.h

// Constants of a simulation. Start from zero.
typedef struct firn_mpm_cuda_def {
    firn_device_air air;  // may change between steps: the settings of firn_device_ops.change
    const firn_velocity_volume* wind;  // copied; null: the wind is the same everywhere
    firn_real cell;                    // h [m]
    firn_real mass_min;                // [kg] lighter nodes are empty
    firn_real lightest;                // smallest factor on the density
    bool weighs;                       // step 2 finds V_p^0 in the first step
    int spline;                        // 0 cubic, 1 quadratic
    bool at_surface;                   // contact: surface
    bool affine;                       // APIC
    bool clays;                        // some material has Cam-Clay plasticity
    bool varied;                       // particles have factors on hardening and thresholds
    bool diagonal;                     // preconditioner
    bool may_solve;                    // the solve's arrays are needed
    bool inertial;                     // the guess of the solve
    double flip, beta;
    double grip;        // [s]; 0: the paper's friction
    double time_scale;  // of ageing; 0: none
    firn_mpm_dt_rules dt;
    double tolerance, speed_floor;
    int max_iterations, iterations_target;
    const firn_mpm_material* materials;          // copied; of the scene's first time
    const firn_mpm_material_def* material_defs;  // copied; null: no material has keys
    firn_local material_count;
    firn_device_cull cull;
    bool rigid;  // there are dynamic colliders
    firn_mpm_powder_def powder;
    firn_local emitter_count;
    firn_device_emitter_of* emitter_of;
    void* self;  // for it
} firn_mpm_cuda_def;

// Why a step failed.
typedef enum firn_mpm_cuda_end {
    FIRN_MPM_CUDA_LOST = FIRN_DEVICE_FAULT,  // a particle is not finite or beyond the grid
    FIRN_MPM_CUDA_SOLVE,                     // the linear solve is far from converged
    FIRN_MPM_CUDA_INVERTED,                  // a deformation is inverted or not finite
    FIRN_MPM_CUDA_RUNAWAY,                   // a particle would cross more than a cell
    FIRN_MPM_CUDA_NO_PLACE,                  // no place for a flake; fault_value: which emitter's
    FIRN_MPM_CUDA_FULL                       // more flakes than were expected
} firn_mpm_cuda_end;

// What a step did. Energies describe its start.
typedef struct firn_mpm_cuda_record {
    firn_device_record base;
    double residual;
    int32_t iterations, stalled;
    double mass, elastic;
    double plastic_min, plastic_max;
    double max_sound;  // [m/s] at the start
    int32_t occupied_count, block_count;
    int32_t ticks;  // a tick of the powder ends with this step, which is the last one of its batch
    int64_t shed;   // points that it has shed
} firn_mpm_cuda_record;

extern const firn_cuda_kernels firn_mpm_kernels;

// For tests: nodes of the last step, by their coordinates; [4] reals each.
typedef struct firn_mpm_cuda_nodes {
    firn_local count;          // nodes
    int32_t (*coord)[3];       // node coordinates, owned
    firn_real (*velocity)[4];  // v_i^n, m_i; owned
    firn_real (*now)[4];       // v_i^{n+1}; fourth: 1 where a collider decides; owned
} firn_mpm_cuda_nodes;
// Builds with CUDA only.
firn_result firn_mpm_cuda_read_nodes(firn_device_sim* sim, firn_mpm_cuda_nodes* out_nodes,
                                     firn_error* error);

// The first `count` points that the last step has shed, when no batch is running. Builds with CUDA
// only.
firn_result firn_mpm_cuda_read_powder(firn_device_sim* sim, firn_powder_birth* out_born,
                                      firn_local count, firn_error* error);

#ifdef __cplusplus
}
#endif
