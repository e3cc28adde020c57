// SPDX-License-Identifier: MIT
// Powder of mpm (solver/shared/powder/powder.h): snow sheds by the growth of J_P.
#pragma once
#include "solver/mpm/mpm_state.h"
#include "solver/shared/powder/powder.h"

void firn_mpm_powder_add_fields(firn_solver_base* base);
// Nothing in a scene without powder.
firn_result firn_mpm_powder_create(firn_mpm* m, firn_error* error);
// Particle p is new.
void firn_mpm_powder_dress(firn_mpm* m, firn_local p);
// At the end of a step.
firn_result firn_mpm_powder_step(firn_mpm* m, firn_error* error);
