// SPDX-License-Identifier: MIT
// The functions behind firn_solver_mpm that live in other files.
#pragma once
#include "scene/run/seed.h"
#include "solver/mpm/mpm_state.h"

void firn_mpm_check(const firn_scene_data* scene, firn_diagnostics* diagnostics);  // mpm_def.c
firn_solver_estimate firn_mpm_estimate(const firn_scene_data* scene);              // mpm_def.c
double firn_mpm_flake(const firn_scene_data* scene);  // [m] estimate.flake       mpm_def.c
// Decides what the scene's particles have, and registers their fields (mpm_add_fields.c).
void firn_mpm_add_fields(firn_mpm* m);
// Adds the grip of snow on colliders where there is none, and friction now holds snow.
firn_result firn_mpm_add_grip(firn_mpm* m, firn_error* error);
// Completes the last particles, which were appended from seeds (mpm_solver.c).
void firn_mpm_dress_seeds(firn_mpm* m, const firn_seeds* seeds);
