// SPDX-License-Identifier: MIT
// The CPU's table of fast loops, one per SIMD level, chosen at run time. Results are bitwise
// equal to the plain loops: the same operations in the same order, without fused multiply-adds.
#pragma once
#include "core/simd/simd.h"
#include "solver/grains/step01_neighbours.h"
#include "solver/grains/step02_cohesion.h"

struct firn_grains_ops {
    const char* simd;  // "baseline", "x86-64-v3", ..., "plain"
    // Writes the neighbours of grain i among `runs` to `out`, ascending, and returns their number,
    // at most FIRN_GRAINS_LIST_MOST; `out` has room for twice as many. Null: the plain loop.
    int (*search)(const firn_grains_search_args* a, const firn_neighbour_runs* runs, firn_local i,
                  int32_t* out);
    // Bonds by the index in the new list. Null: the plain loop.
    uint64_t (*carry)(const firn_grains_carry_args* a);
    // Forces of neighbours on grains [begin, end), none of them water. Null: the plain loop.
    // `begin` is a multiple of FIRN_GRAINS_BLOCK, end - begin at most as many.
    void (*neighbours)(const firn_grains_cohesion_args* a, firn_local begin, firn_local end,
                       firn_grains_sum* out_sums);
};

extern const firn_grains_ops firn_grains_ops_plain, firn_grains_ops_level1;
#if defined(__x86_64__)
extern const firn_grains_ops firn_grains_ops_level3, firn_grains_ops_level4;
#endif

// The loops for a name of firn_simd_choose; null: unknown name.
const firn_grains_ops* firn_grains_ops_find(const char* simd);
