// SPDX-License-Identifier: MIT
// Host side of sph on a device (solver/shared/device_run.h).
#pragma once
#include "core/result.h"

struct firn_sph;
struct firn_solver_args;

// Where args->device is a device: creates m->base.device_run. FIRN_REFUSED_BACKEND: the scene has
// something that is not computed there yet; the message says what, and what to do.
firn_result firn_sph_gpu_create(struct firn_sph* m, const struct firn_solver_args* args,
                                firn_error* error);
