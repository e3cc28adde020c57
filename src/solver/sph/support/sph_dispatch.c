// SPDX-License-Identifier: MIT
// Which SIMD level runs: the best that this machine has, unless a name is given; with or without
// the fast passes.
#include <string.h>

#include "core/simd/simd.h"
#include "solver/sph/support/sph_cpu.h"

const firn_sph_ops* firn_sph_ops_find(const char* simd)
{
    static const struct {
        int level;
        const firn_sph_ops *ops, *plain;
    } levels[] = {
#if defined(__x86_64__)
        {4, &firn_sph_ops_level4, &firn_sph_ops_level4_plain},
        {3, &firn_sph_ops_level3, &firn_sph_ops_level3_plain},
#endif
        {1, &firn_sph_ops_level1, &firn_sph_ops_level1_plain},
    };
    const bool plain = simd != NULL && strcmp(simd, FIRN_SPH_PLAIN) == 0;
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        if (simd != NULL && !plain && strcmp(simd, levels[k].ops->simd) != 0) continue;
        if (firn_simd_has(levels[k].level)) return plain ? levels[k].plain : levels[k].ops;
    }
    return NULL;
}
