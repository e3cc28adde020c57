// SPDX-License-Identifier: MIT
// Host side of the material point method on a device.
#pragma once
#include "solver/mpm/mpm_state.h"
#include "solver/shared/device_run.h"

// FIRN_REFUSED_BACKEND: the scene has something that is not computed on a device.
firn_result firn_mpm_gpu_check(const firn_mpm* m, firn_error* error);

extern const firn_device_solver firn_mpm_device;
