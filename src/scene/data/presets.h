// SPDX-License-Identifier: MIT
// Named kinds of snow, each with its source.
#pragma once
#include "physics/snow_material.h"

typedef struct firn_preset {
    const char* name;
    const char* help;    // what it looks like
    const char* source;  // where the numbers come from
    firn_snow_material snow;
} firn_preset;

extern const firn_preset firn_presets[];
extern const size_t firn_preset_count;
// Null when there is none of that name.
const firn_preset* firn_preset_find(const char* name);
// Makes a material a fluid with the heat of water at 0 degC; density and viscosity stay.
void firn_preset_of_fluid(firn_snow_material* snow, firn_material_phase phase);
