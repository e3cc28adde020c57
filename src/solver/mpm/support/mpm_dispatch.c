// SPDX-License-Identifier: MIT
// Which SIMD level runs: the best that this machine has, unless a name is given; with or without
// the fast passes.
#include <string.h>

#include "core/simd/simd.h"
#include "solver/mpm/support/mpm_cpu.h"

const firn_mpm_ops* firn_mpm_ops_find(const char* simd)
{
    static const struct {
        int level;
        const firn_mpm_ops *ops, *plain;
    } levels[] = {
#if defined(__x86_64__)
        {4, &firn_mpm_ops_level4, &firn_mpm_ops_level4_plain},
        {3, &firn_mpm_ops_level3, &firn_mpm_ops_level3_plain},
#endif
        {1, &firn_mpm_ops_level1, &firn_mpm_ops_level1_plain},
    };
    const bool plain = simd != NULL && strcmp(simd, FIRN_MPM_PLAIN) == 0;
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        if (simd != NULL && !plain && strcmp(simd, levels[k].ops->simd) != 0) continue;
        if (firn_simd_has(levels[k].level)) return plain ? levels[k].plain : levels[k].ops;
    }
    return NULL;
}
