// SPDX-License-Identifier: MIT
// V_b of particles that move relative to each other: those of a deforming collider, every step.
#pragma once
#include "core/sort_keys.h"
#include "math/vec3.h"

#ifdef __cplusplus
extern "C" {
#endif

// V_b = factor / sum_j W_bj [m^3] over all `count` particles x, h their spacing [m]. `sort` has
// capacity for them. Sums are in order of cells, then of particles: the same for any number of
// threads.
void firn_boundary_volumes(const firn_vec3* x, firn_local count, double spacing, double factor,
                           firn_key_sort* sort, firn_real* out_volume);

#ifdef __cplusplus
}
#endif
