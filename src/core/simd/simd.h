// SPDX-License-Identifier: MIT
// The SIMD levels that hot loops are compiled for, and the choice among them at run time
// (design/0002). Files listed by firn_simd_sources are compiled once per level.
#pragma once
#include "core/result.h"

// Name of the level that this file is compiled for: only in files of firn_simd_sources.
#if defined(FIRN_SIMD_LEVEL)
#if FIRN_SIMD_LEVEL == 4
#define FIRN_SIMD_NAME "x86-64-v4"
#elif FIRN_SIMD_LEVEL == 3
#define FIRN_SIMD_NAME "x86-64-v3"
#else
#define FIRN_SIMD_NAME "baseline"
#endif
#endif

// Plain loops, one particle at a time, as the paper reads: what fast loops are tested against, and
// what to run when these are doubted.
#define FIRN_SIMD_PLAIN "plain"

typedef struct firn_simd_choice {
    int level;         // 1 baseline, 3 and 4 for x86-64-v3 and -v4
    bool plain;        // plain loops, compiled for that level
    const char* name;  // static: "baseline", "x86-64-v3", "x86-64-v4", "plain"
} firn_simd_choice;

extern const char firn_simd_names[];  // all names of this build, with spaces between

// Whether this machine can run `level`.
bool firn_simd_has(int level);
// `name` null: the best level of this machine. FIRN_REFUSED_BACKEND: the name is unknown, or the
// machine lacks the level.
firn_result firn_simd_choose(const char* name, firn_simd_choice* out_choice, firn_error* error);
