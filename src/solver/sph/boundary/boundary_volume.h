// SPDX-License-Identifier: MIT
// V_b of particles that move against each other: those of a deforming body, at every step.
#pragma once
#include "core/sort_keys.h"
#include "math/vec3.h"

#ifdef __cplusplus
extern "C" {
#endif

// V_b = factor / sum_j W_bj [m^3] over all `count` particles x, h their spacing [m]. `sort` has
// room for them. The order of a sum is that of cells, then of particles: the same on any number of
// threads.
void firn_boundary_volumes(const firn_vec3* x, firn_local count, double spacing, double factor,
                           firn_key_sort* sort, int threads, firn_real* out_volume);

#ifdef __cplusplus
}
#endif
