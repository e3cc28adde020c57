// SPDX-License-Identifier: MIT
// Contact of snow with colliders: sums over boundary particles, once per step.
#pragma once
#include "solver/sph/sph_state.h"

// Fills m->contact, and B, wall_kernel and wall_divergence of m->w for all particles.
firn_result firn_sph_sum_contacts(firn_sph* m);
