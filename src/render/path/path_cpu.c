// SPDX-License-Identifier: MIT
// The wide loop, compiled for the levels with vectors of eight (design/0002). The baseline has none
// and follows its paths one by one, which is faster there.
#include "render/path/path_cpu.h"

#if FIRN_SIMD_LEVEL > 1
// NOLINTNEXTLINE(bugprone-suspicious-include)
#include "render/path/path_simd.c"

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
