// SPDX-License-Identifier: MIT
// The ballistic solver on a CUDA device.
#pragma once
#include "solver/shared/cuda_sim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_BALLISTIC_CUDA_BATCH 64                          // most steps of a batch
enum { FIRN_BALLISTIC_CUDA_NOT_FINITE = FIRN_DEVICE_FAULT };  // why a step failed

typedef struct firn_ballistic_cuda_def {
    double gravity[3];  // [m/s^2] of the potential energy
    double dt;          // [s]
    firn_device_cull cull;
} firn_ballistic_cuda_def;

extern const firn_cuda_kernels firn_ballistic_kernels;

#ifdef __cplusplus
}
#endif
