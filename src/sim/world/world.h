// SPDX-License-Identifier: MIT
// Changes of the world around the snow (firn/world.h) that restoring a state shares with the
// public functions.
#pragma once
#include "sim/sim.h"

bool firn_world_gravity_is_valid(const double gravity[3]);
bool firn_world_wind_is_valid(const double velocity[3]);
// Change the scene without checking; call firn_sim_colliders_changed afterwards.
void firn_world_put_gravity(firn_sim* sim, const double gravity[3]);
void firn_world_put_wind(firn_sim* sim, const double velocity[3]);
