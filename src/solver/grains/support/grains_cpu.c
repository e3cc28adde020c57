// SPDX-License-Identifier: MIT
// The fast loops of the steps, compiled once per SIMD level (FIRN_SIMD_LEVEL: 1 baseline, 3 and 4
// for x86-64-v3 and -v4). They are included rather than linked so that each level has its own copy
// under the one name the reader sees; only this table differs in name.
#include "solver/grains/support/grains_cpu.h"

// NOLINTBEGIN(bugprone-suspicious-include)
#include "solver/grains/fast/step01_neighbours_simd.c"
#include "solver/grains/fast/step02_cohesion_simd.c"
// NOLINTEND(bugprone-suspicious-include)

#if FIRN_SIMD_LEVEL == 4
#define TABLE firn_grains_ops_level4
#elif FIRN_SIMD_LEVEL == 3
#define TABLE firn_grains_ops_level3
#else
#define TABLE firn_grains_ops_level1
#endif

const firn_grains_ops TABLE = {.simd = FIRN_SIMD_NAME,
                               .search = search_simd,
                               .carry = carry_simd,
                               .neighbours = neighbours_simd};
