// SPDX-License-Identifier: MIT
// Which SIMD level runs: the best that this machine has, unless a name is given.
#include <string.h>

#include "solver/mpm/mpm_cpu.h"

static bool machine_has(int level)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    // the level's features one by one: clang before 15 does not know the levels by name. Processors
    // with AVX2 and BMI2 have the rest of v3 (F16C, LZCNT, MOVBE) as well.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (level >= 3) return level == 4 ? v4 : v3;
#endif
    return level == 1;
}

const firn_mpm_ops* firn_mpm_ops_find(const char* simd)
{
    static const struct {
        int level;
        const firn_mpm_ops* ops;
    } levels[] = {
#if defined(__x86_64__)
        {4, &firn_mpm_ops_level4},
        {3, &firn_mpm_ops_level3},
#endif
        {1, &firn_mpm_ops_level1},
    };
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        if (simd != NULL && strcmp(simd, levels[k].ops->simd) != 0) continue;
        if (machine_has(levels[k].level)) return levels[k].ops;
    }
    return NULL;
}
