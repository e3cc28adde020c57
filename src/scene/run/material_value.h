// SPDX-License-Identifier: MIT
// Materials that change over time, for C and CUDA.
#pragma once
#include "math/time_keys.h"
#include "physics/snow_material.h"
#include "scene/data/material_keys.h"

// Constants of a material at a time [s]; the keys ascend in time, and without any it is constant.
FIRN_FN firn_snow_material firn_material_value(const firn_snow_material* snow,
                                               const firn_material_key* keys, int32_t key_count,
                                               double time)
{
    firn_snow_material s = *snow;
    if (key_count == 0) return s;
    double factors[FIRN_MATERIAL_KEY_COLUMNS];
    for (int32_t c = 1; c < (int32_t)FIRN_MATERIAL_KEY_COLUMNS; c++)
        factors[c] = firn_time_keys_at(&keys[0].time, (int32_t)FIRN_MATERIAL_KEY_COLUMNS, key_count,
                                       c, time);
    s.young *= (firn_real)factors[1];
    s.hardening *= (firn_real)factors[2];
    s.critical_compression *= (firn_real)factors[3];
    s.critical_stretch *= (firn_real)factors[4];
    return s;
}
