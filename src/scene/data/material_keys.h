// SPDX-License-Identifier: MIT
// Keys of materials that change over time (scene/run/material_value.h evaluates them).
#pragma once

// Factors on constants of a material at one time.
typedef struct firn_material_key {
    double time;                                                      // [s]
    double young, hardening, critical_compression, critical_stretch;  // [-]
} firn_material_key;
#define FIRN_MATERIAL_KEYS_MAX 16
#define FIRN_MATERIAL_KEY_COLUMNS (sizeof(firn_material_key) / sizeof(double))
