// SPDX-License-Identifier: MIT
// Culling: removes particles below a height, inside a shape or outside one, as the scene says.
// Every solver calls it at the start of a step, before anything else.
#pragma once
#include "state/particles.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// What a solver keeps for it. Zeroed to begin with.
typedef struct firn_culler {
    firn_local* keep;  // owned scratch; null until the scene culls
    firn_local capacity;
} firn_culler;

// Removes particles by the field "position" when the scene's rules hold at `time` [s], the start of
// the step; the rest keep their order. *out_culled: how many went.
// Positions that are not finite stay, for the solver to find. Allocates on the first call only.
// FIRN_BROKEN_MEMORY: the particles are as before.
firn_result firn_cull(firn_culler* culler, const firn_scene_data* scene, firn_particles* particles,
                      double time, firn_local* out_culled, firn_error* error);
void firn_culler_destroy(firn_culler* culler);
