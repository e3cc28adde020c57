// SPDX-License-Identifier: MIT
// Host side of the material point method on a device.
#pragma once
#include "solver/mpm/mpm_state.h"
#include "solver/shared/device_run.h"

extern const firn_device_solver firn_mpm_device;
