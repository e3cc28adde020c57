// SPDX-License-Identifier: MIT
// The functions behind firn_solver_mpm that live in other files.
#pragma once
#include "scene/run/seed.h"
#include "solver/mpm/mpm_state.h"

void firn_mpm_check(const firn_scene_data* scene, firn_diagnostics* diagnostics);  // mpm_def.c
firn_solver_estimate firn_mpm_estimate(const firn_scene_data* scene);              // mpm_def.c
double firn_mpm_flake(const firn_scene_data* scene);  // [m] estimate.flake       mpm_def.c
// Completes the last particles, which were appended from seeds (mpm_solver.c).
void firn_mpm_dress_seeds(firn_mpm* m, const firn_seeds* seeds);
