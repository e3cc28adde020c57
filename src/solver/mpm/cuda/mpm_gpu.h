// SPDX-License-Identifier: MIT
// The material point method on a GPU, as the solver's interface wants it: one step at a time for
// the caller, batches for the device (mpm_cuda.h). What the caller is told is always the state
// after the last step that it was given, however far the device has got.
#pragma once
#include "solver/mpm/mpm_state.h"

// `run_ahead`: most steps of a batch; 0: as many as the frame may need.
firn_result firn_mpm_gpu_create(firn_mpm* m, int device, int run_ahead, firn_error* error);
void firn_mpm_gpu_destroy(firn_mpm_gpu* gpu);  // null is fine
firn_result firn_mpm_gpu_step(firn_mpm* m, double time, double dt_limit, double dt_scale,
                              firn_step_report* out_report, firn_error* error);
void firn_mpm_gpu_expect(firn_mpm* m, double time, double dt_limit, double dt_scale);
firn_result firn_mpm_gpu_fetch(firn_mpm* m, firn_error* error);
firn_result firn_mpm_gpu_take(firn_mpm* m, firn_error* error);
firn_result firn_mpm_gpu_restore(firn_mpm* m, firn_error* error);
void firn_mpm_gpu_host_changed(firn_mpm* m);  // the host's particles are the state now
// Another driver moves some body from now on: the device drops what it has computed ahead.
firn_result firn_mpm_gpu_bodies_changed(firn_mpm* m, firn_error* error);
firn_local firn_mpm_gpu_count(const firn_mpm* m);
size_t firn_mpm_gpu_bytes(const firn_mpm* m);
struct firn_mpm_cuda* firn_mpm_gpu_device(firn_mpm_gpu* gpu);  // for tests
