// SPDX-License-Identifier: MIT
// Where particle fields lie (firn/device.h).
#pragma once
#include "firn/device.h"
#include "sim/sim.h"

// As firn_sim_device_field. `wait`: until the field is complete.
firn_result firn_sim_place_field(const firn_sim* sim, const char* name, bool wait,
                                 firn_device_field* out_field);
