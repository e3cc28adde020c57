// SPDX-License-Identifier: MIT
// The world around the snow changes between steps: gravity and wind.
//
//     firn_sim_set_gravity(sim, (firn_vec3){0, -1.62f, 0});   // on the moon
//     firn_sim_set_wind(sim, (firn_vec3){8, 0, 0});           // sph: snowfall drifts
//
// All changes are part of the state: checkpoints store them, and frames that are recomputed after
// a rollback use them.
#pragma once
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- gravity and wind -------------------------------------------------------------------------

// Set gravity [m/s^2], each component at most 1e4, instead of the scene's `gravity`. With
// `sph.gravity_rise` it still grows in that time. FIRN_REFUSED_ARGUMENT: out of range.
FIRN_API firn_result firn_sim_set_gravity(firn_sim* sim, firn_vec3 gravity);
// Get the current gravity [m/s^2]; 0 if `sim` is null.
FIRN_API firn_vec3 firn_sim_gravity(const firn_sim* sim);

// Set the wind [m/s], each component at most 1e3, instead of the scene's `air.velocity`. Adds air
// with drag if the scene has none. Gusts keep their strength relative to the wind; their pattern,
// which drifts with the wind from the start of the simulation, jumps. A wind from a .vdb file stays
// inside of its volume: the wind set here blows outside. FIRN_REFUSED_NAME: the solver has no wind.
// FIRN_REFUSED_ARGUMENT: out of range.
FIRN_API firn_result firn_sim_set_wind(firn_sim* sim, firn_vec3 velocity);
// Get the current wind [m/s] without gusts, outside of a .vdb file's volume; 0 without air.
FIRN_API firn_vec3 firn_sim_wind(const firn_sim* sim);

#ifdef __cplusplus
}
#endif
