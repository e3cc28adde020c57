// SPDX-License-Identifier: MIT
// What a step on a GPU did, for the caller.
#pragma once
#include "solver/mpm/cuda/mpm_cuda.h"
#include "solver/mpm/mpm_state.h"

// `m` has this step's dt and integrator; `alive_before`: particles before it.
void firn_mpm_gpu_report(const firn_mpm* m, const firn_mpm_cuda_record* r, firn_local alive_before,
                         firn_step_report* out);
// FIRN_OK where the step was done, FIRN_BROKEN_DIVERGED where it failed.
firn_result firn_mpm_gpu_fault(const firn_mpm* m, const firn_mpm_cuda_record* r, firn_error* error);
