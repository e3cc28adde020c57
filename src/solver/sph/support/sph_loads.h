// SPDX-License-Identifier: MIT
// Loads on colliders: the reactions to what they give to the particles near them
// (theory/forces.md).
#pragma once
#include "solver/sph/laws/loads.h"
#include "solver/sph/sph_state.h"

// The colliders near particle i, in `runs` of boundary particles; returns their number.
int firn_sph_shares(const firn_sph* m, const firn_neighbour_runs* runs, firn_local i,
                    firn_sph_share all[FIRN_SPH_SHARES]);

// After step 7: adds adhesion, friction, pressure and stress of the step to the loads. `weighted`
// of the work is scratch. Step 9 adds what it stops.
void firn_sph_take_loads(firn_sph* m);
