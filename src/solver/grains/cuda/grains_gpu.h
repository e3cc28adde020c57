// SPDX-License-Identifier: MIT
// Grains on a GPU, as the solver's interface wants it: one step at a time for the caller, batches
// for the device (grains_cuda.h). What the caller is told is always the state after the last step
// that it was given, however far the device has got.
#pragma once
#include "solver/grains/grains_state.h"

// `run_ahead`: most steps of a batch; 0: as many as the frame may need.
firn_result firn_grains_gpu_create(firn_grains* m, int device, int run_ahead, firn_error* error);
void firn_grains_gpu_destroy(firn_grains_gpu* gpu);  // null is fine
firn_result firn_grains_gpu_step(firn_grains* m, double time, double dt_limit, double dt_scale,
                                 firn_step_report* out_report, firn_error* error);
void firn_grains_gpu_expect(firn_grains* m, double time, double dt_limit, double dt_scale);
firn_result firn_grains_gpu_fetch(firn_grains* m, firn_error* error);
firn_result firn_grains_gpu_take(firn_grains* m, firn_error* error);
firn_result firn_grains_gpu_restore(firn_grains* m, firn_error* error);
void firn_grains_gpu_host_changed(firn_grains* m);  // the host's particles are the state now
// Bodies or temperatures are others from now on: the device drops what it has computed ahead.
firn_result firn_grains_gpu_bodies_changed(firn_grains* m, firn_error* error);
firn_local firn_grains_gpu_count(const firn_grains* m);
size_t firn_grains_gpu_bytes(const firn_grains* m);
