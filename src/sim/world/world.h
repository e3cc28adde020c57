// SPDX-License-Identifier: MIT
// What the functions of firn/world.h share, and what restoring a state uses of them.
#pragma once
#include "sim/sim.h"

bool firn_world_gravity_is_valid(const double gravity[3]);
bool firn_world_wind_is_valid(const double velocity[3]);
// Change the scene without checking; call firn_sim_colliders_changed afterwards.
void firn_world_put_gravity(firn_sim* sim, const double gravity[3]);
void firn_world_put_wind(firn_sim* sim, const double velocity[3]);

// Begins a call that adds or removes `what`: "colliders". Refused: null, broken, or frames on disk.
firn_result firn_world_begin(firn_sim* sim, const char* what);
// After something was added to the solver: room for snapshots of the state that it has now.
firn_result firn_world_make_room(firn_sim* sim);
