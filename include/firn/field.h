// SPDX-License-Identifier: MIT
// What is known of the fields of particles, whether a simulation has them or not.
#pragma once
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A field that frames can hold.
typedef struct firn_field_info {
    const char* name;     // in firn_sim_field and in files: "plastic_det"
    const char* key;      // in scenes: "plastic_volume"
    const char* label;    // on a colour scale: "J_P"
    const char* symbol;   // in the papers: "J_P"; "": none
    const char* unit;     // "kg/m^3"; "1": a ratio; "": a number that counts or names something
    const char* solvers;  // that have it: "mpm, sph", or "all"
    const char* help;     // one sentence
    firn_field_type type;
    double narrowest;  // width of the narrowest useful colour scale; 0: any
    double low, high;  // bounds of the values; equal: not bounded
} firn_field_info;
// By its name in files. Null: frames have no field of that name.
FIRN_API const firn_field_info* firn_field_find(const char* name);

#ifdef __cplusplus
}
#endif
