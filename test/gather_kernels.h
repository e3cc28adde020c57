// SPDX-License-Identifier: MIT
// core/simd/lanes_gather.h and state/pair_search.h behind plain arrays, compiled once per SIMD
// level.
#pragma once
#include "core/simd/simd.h"
#include "state/pair_search.h"

typedef struct gather_kernels {
    int level, lanes;
    // out[4 lane + c] = base[stride index[lane] + c], through lanes and back, for `lanes` of them
    void (*gather4)(const firn_real* base, size_t stride, const int32_t* index, firn_real* out);
    void (*copy4)(const firn_real* from, firn_real* to);  // load4, then store4
    firn_result (*search)(const firn_pair_search_args* args);
} gather_kernels;

extern const gather_kernels gather_kernels_level1;
#ifdef __x86_64__
extern const gather_kernels gather_kernels_level3, gather_kernels_level4;
#endif

// The levels that this machine runs, lowest first; null after the last.
static inline const gather_kernels* gather_kernels_get(int n)
{
#ifdef __x86_64__
    if (firn_simd_has(3) && n == 1) return &gather_kernels_level3;
    if (firn_simd_has(4) && n == 2) return &gather_kernels_level4;
#endif
    return n == 0 ? &gather_kernels_level1 : NULL;
}
