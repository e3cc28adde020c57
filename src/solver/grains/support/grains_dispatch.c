// SPDX-License-Identifier: MIT
// Which SIMD level runs: the best that this machine has, unless a name is given.
#include <string.h>

#include "core/simd/simd.h"
#include "solver/grains/support/grains_cpu.h"

const firn_grains_ops firn_grains_ops_plain = {.simd = FIRN_GRAINS_PLAIN};

const firn_grains_ops* firn_grains_ops_find(const char* simd)
{
    static const struct {
        int level;
        const firn_grains_ops* ops;
    } levels[] = {
#if defined(__x86_64__)
        {4, &firn_grains_ops_level4},
        {3, &firn_grains_ops_level3},
#endif
        {1, &firn_grains_ops_level1},
    };
    if (simd != NULL && strcmp(simd, FIRN_GRAINS_PLAIN) == 0) return &firn_grains_ops_plain;
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        if (simd != NULL && strcmp(simd, levels[k].ops->simd) != 0) continue;
        if (firn_simd_has(levels[k].level)) return levels[k].ops;
    }
    return NULL;
}
