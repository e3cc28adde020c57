// SPDX-License-Identifier: MIT
// Drag of the air on snow at free surfaces (physics/drag.h), which the paper does not have.
#pragma once

typedef struct firn_mpm firn_mpm;  // mpm_state.h

// Changes the velocities of particles by the drag of a step, before they go to the grid. Does
// nothing in a scene without air. Call it when the grid is ready and dt is known.
void firn_mpm_blow(firn_mpm* m);
