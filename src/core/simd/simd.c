// SPDX-License-Identifier: MIT
#include "core/simd/simd.h"

bool firn_simd_has(int level)
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
