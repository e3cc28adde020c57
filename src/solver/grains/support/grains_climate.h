// SPDX-License-Identifier: MIT
// Temperatures of air and colliders for a device, which evaluates them at the times of its steps.
#pragma once
#include "scene/data/temperature.h"

typedef struct firn_grains_climate {
    bool heats;         // air or some collider has a temperature
    bool may_heat;      // lists are ready for grains that melt (firn_grains.may_heat)
    double air;         // [degC] where there are no keys; NaN: it exchanges no heat
    int32_t key_count;  // of the air's temperature over time
    firn_temperature_key key[FIRN_TEMPERATURE_KEYS_MAX];
} firn_grains_climate;

// Temperature of one collider.
typedef struct firn_grains_body_climate {
    firn_real temperature;  // [degC] NaN: it exchanges no heat
    bool of_air;            // it has the temperature of the air instead
} firn_grains_body_climate;

// Temperature of the air at `time` [degC]; same as firn_air_temperature.
FIRN_FN double firn_grains_air_at(const firn_grains_climate* c, double time)
{
    return c->key_count == 0 ? c->air : firn_temperature_at(c->key, c->key_count, time);
}
