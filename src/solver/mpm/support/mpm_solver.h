// SPDX-License-Identifier: MIT
// The functions behind firn_solver_mpm that live in other files.
#pragma once
#include "solver/mpm/mpm_state.h"

void firn_mpm_check(const firn_scene_data* scene, firn_diagnostics* diagnostics);  // mpm_def.c
firn_solver_estimate firn_mpm_estimate(const firn_scene_data* scene);              // mpm_def.c
