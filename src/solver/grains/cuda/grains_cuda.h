// SPDX-License-Identifier: MIT
// Grains on a CUDA device: what is specific to them beside solver/shared/cuda_sim.h. The device
// also rebuilds neighbour lists by itself when a grain has moved too far.
//
// What one grain computes is in the headers that the CPU uses (physics/, grain_step.h), and
// sums have the CPU's order: results are bitwise equal to the CPU.
#pragma once
#include "physics/grain.h"
#include "solver/grains/support/grains_climate.h"
#include "solver/grains/support/grains_rules.h"
#include "solver/shared/cuda_sim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_GRAINS_CUDA_BATCH 256  // most steps of a batch

// Entries of firn_device_record.stamp: when these began.
enum {
    FIRN_GRAINS_STAMP_PREPARE,
    FIRN_GRAINS_STAMP_01,
    FIRN_GRAINS_STAMP_02_06,
    FIRN_GRAINS_STAMP_END
};

// Settings that may change between steps.
typedef struct firn_grains_settings {
    firn_grains_climate climate;
    const firn_collider* bodies;  // [collider_count] borrowed for the call: their temperatures
} firn_grains_settings;

// Constants of a simulation. Start from zero.
typedef struct firn_grains_cuda_def {
    firn_grain_constants constants;  // damping_most: of each step
    firn_grains_dt_rules dt;
    firn_real skin;  // [m]
    firn_grains_settings settings;
    firn_device_cull cull;
} firn_grains_cuda_def;

// Why a step failed.
typedef enum firn_grains_cuda_end {
    FIRN_GRAINS_CUDA_CROWDED = FIRN_DEVICE_FAULT,  // too many neighbours on average
    FIRN_GRAINS_CUDA_LOST,                         // a grain is not finite or beyond the cells
    FIRN_GRAINS_CUDA_RUNAWAY                       // a grain would cross more than its size
} firn_grains_cuda_end;

// What a step did. Energies describe its start.
typedef struct firn_grains_cuda_record {
    firn_device_record base;
    double neighbours;  // per grain, on average
    double heat;        // [J] from air and colliders
    int32_t cell_count;
    int32_t listed;  // neighbour lists were rebuilt
} firn_grains_cuda_record;

extern const firn_cuda_kernels firn_grains_kernels;

#ifdef __cplusplus
}
#endif
