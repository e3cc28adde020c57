// SPDX-License-Identifier: MIT
// Host side of grains on a device (solver/shared/device_run.h).
#pragma once
#include "core/result.h"

struct firn_grains;
struct firn_solver_args;

// Where args->device is a device: makes m->base.device_run.
firn_result firn_grains_gpu_create(struct firn_grains* m, const struct firn_solver_args* args,
                                   firn_error* error);
