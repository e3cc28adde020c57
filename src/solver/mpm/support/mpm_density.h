// SPDX-License-Identifier: MIT
// Densities of particles, for frames, pictures and queries.
#pragma once
#include "solver/mpm/mpm_state.h"

// firn_solver.density
void firn_mpm_density(const void* self, firn_real* out_density);
// Those of particles list[0 .. count).
void firn_mpm_density_of(const firn_mpm* m, const firn_local* list, firn_local count,
                         firn_real* out_density);
