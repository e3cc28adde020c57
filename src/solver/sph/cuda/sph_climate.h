// SPDX-License-Identifier: MIT
// Temperatures for a device, which evaluates them at the times of its steps.
#pragma once
#include "math/shared.h"
#include "scene/data/temperature.h"

// Temperatures of the air over time, and how heat flows.
typedef struct firn_sph_climate {
    double air;         // [degC] where there are no keys; NaN: it exchanges no heat
    int32_t key_count;  // of the air's temperature over time
    firn_temperature_key key[FIRN_TEMPERATURE_KEYS_MAX];
    firn_real transfer;  // of the air [W/m^2/K]
    double limit;        // [s] firn_sph_heat_limit
    double speed;        // heat_speed
} firn_sph_climate;

// Temperature of the air at `time` [degC]; same as firn_air_temperature.
FIRN_FN double firn_sph_air_at(const firn_sph_climate* c, double time)
{
    return c->key_count == 0 ? c->air : firn_temperature_at(c->key, c->key_count, time);
}
