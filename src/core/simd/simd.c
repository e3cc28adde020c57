// SPDX-License-Identifier: MIT
#include "core/simd/simd.h"

#include <string.h>

// Best first.
static const firn_simd_choice levels[] = {
#if defined(__x86_64__)
    {.level = 4, .name = "x86-64-v4"},
    {.level = 3, .name = "x86-64-v3"},
#endif
    {.level = 1, .name = "baseline"},
};

#if defined(__x86_64__)
const char firn_simd_names[] = "baseline x86-64-v3 x86-64-v4 plain";
#else
const char firn_simd_names[] = "baseline plain";
#endif

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

firn_result firn_simd_choose(const char* name, firn_simd_choice* out_choice, firn_error* error)
{
    const bool plain = name != NULL && strcmp(name, FIRN_SIMD_PLAIN) == 0;
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        if (name != NULL && !plain && strcmp(name, levels[k].name) != 0) continue;
        if (!firn_simd_has(levels[k].level)) continue;
        *out_choice = levels[k];
        if (plain) *out_choice = (firn_simd_choice){levels[k].level, true, FIRN_SIMD_PLAIN};
        return FIRN_OK;
    }
    return firn_fail(
        error, FIRN_REFUSED_BACKEND,
        "SIMD level '%s' is not known or not of this machine (there are: baseline, x86-64-v3, "
        "x86-64-v4, plain; `firn version` names this machine's best)",
        name);
}
