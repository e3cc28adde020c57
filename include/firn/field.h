// SPDX-License-Identifier: MIT
// Descriptions of the particle fields of all solvers.
#pragma once
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Description of a field that frames can contain. Strings are static.
typedef struct firn_field_info {
    const char* name;     // in firn_sim_field and in files: "plastic_volume"
    const char* key;      // in scenes: "plastic_volume"
    const char* label;    // on a colour scale: "J_P"
    const char* symbol;   // in the papers: "J_P"; "": none
    const char* unit;     // "kg/m^3"; "1": a ratio; "": a number that counts or names something
    const char* solvers;  // that have the field: "mpm, sph", or "all"
    const char* help;     // one sentence
    firn_field_type type;
    double narrowest;  // smallest useful width of a colour scale; 0: any
    double low, high;  // bounds of the values; equal: unbounded
} firn_field_info;
// Find the description of a field by its name in files, also by that of firn 0.1 ("plastic_det" is
// now "plastic_volume"); null: no such field.
FIRN_API const firn_field_info* firn_field_find(const char* name);

#ifdef __cplusplus
}
#endif
