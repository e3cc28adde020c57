// SPDX-License-Identifier: MIT
// Host side of grains on a device (solver/shared/device_run.h).
#pragma once
#include "solver/grains/grains_state.h"

// Where args->device is a device: makes m->base.device_run, or refuses colliders with a mass.
firn_result firn_grains_gpu_create(firn_grains* m, const firn_solver_args* args, firn_error* error);
