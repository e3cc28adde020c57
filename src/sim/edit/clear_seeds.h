// SPDX-License-Identifier: MIT
// Leaves out new particles that are too close to existing ones.
#pragma once
#include "math/vec3.h"
#include "scene/run/seed.h"

// `clearance`: least distance, in spacings of the seeds. FIRN_REFUSED_ARGUMENT: no memory.
firn_result firn_seeds_keep_clear(firn_seeds* seeds, double clearance, const firn_vec3* position,
                                  firn_local count, firn_error* error);
