// SPDX-License-Identifier: MIT
// What a step on a GPU did, for the caller.
#pragma once
#include "solver/grains/cuda/grains_cuda.h"
#include "solver/grains/grains_state.h"

// `m` has this step's dt; `before`: grains before it.
void firn_grains_gpu_report(const firn_grains* m, const firn_grains_cuda_record* r,
                            firn_local before, firn_step_report* out);
// FIRN_OK where the step was done, FIRN_BROKEN_DIVERGED where it failed.
firn_result firn_grains_gpu_fault(const firn_grains* m, const firn_grains_cuda_record* r,
                                  firn_error* error);
