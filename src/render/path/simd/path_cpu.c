// SPDX-License-Identifier: MIT
// Compiles path_simd.c for the SIMD levels with registers of eight floats (design/0002). At the
// baseline level the scalar loop (path.c) is faster.
#include "render/path/simd/path_cpu.h"

#if FIRN_SIMD_LEVEL > 1
// NOLINTNEXTLINE(bugprone-suspicious-include)
#include "render/path/simd/path_simd.c"

#if FIRN_SIMD_LEVEL == 4
#define NAME firn_paths_trace_level4
#else
#define NAME firn_paths_trace_level3
#endif

void NAME(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
          firn_film_sample* samples, firn_path_count* tally)
{
    trace_many(view, jobs, count, samples, tally);
}
#endif
