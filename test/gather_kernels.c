// SPDX-License-Identifier: MIT
#include "gather_kernels.h"

#include "core/simd/lanes_gather.h"

static void gather4(const firn_real* base, size_t stride, const int32_t* index, firn_real* out)
{
    firn_lanes r[4];
    firn_lanes_gather4(base, stride, index, r);
    firn_real column[4][FIRN_LANES];
    for (int c = 0; c < 4; c++) firn_lanes_store(column[c], r[c]);
    for (int lane = 0; lane < FIRN_LANES; lane++)
        for (int c = 0; c < 4; c++) out[4 * lane + c] = column[c][lane];
}

static void copy4(const firn_real* from, firn_real* to)
{
    firn_lanes r[4];
    firn_lanes_load4(from, r);
    firn_lanes_store4(to, r[0], r[1], r[2], r[3]);
}

static firn_result search(const firn_pair_search_args* args)
{
    return firn_pair_search(args);
}

#if FIRN_SIMD_LEVEL == 4
#define TABLE gather_kernels_level4
#elif FIRN_SIMD_LEVEL == 3
#define TABLE gather_kernels_level3
#else
#define TABLE gather_kernels_level1
#endif

const gather_kernels TABLE = {.level = FIRN_SIMD_LEVEL,
                              .lanes = FIRN_LANES,
                              .gather4 = gather4,
                              .copy4 = copy4,
                              .search = search};
