// SPDX-License-Identifier: MIT
// Step 5: collision of v_i^* with colliders. Stomakhin 2013, section 8 (collide/collide_at.h).
// Nodes whose velocity a collider sets are marked, and projected out of the linear solve (all three
// components, also when they slide). With `mpm.contact: surface` the velocity field at the surface
// is set instead, by columns of nodes (collide/collide_column.h).
#pragma once
#include "solver/mpm/collide/collide_args.h"
#include "solver/mpm/collide/collide_at.h"
