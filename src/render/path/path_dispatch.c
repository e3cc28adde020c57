// SPDX-License-Identifier: MIT
// The wide loop (or the plain one) of the best SIMD level that this machine has.
#include "core/simd/simd.h"
#include "render/path/path_cpu.h"

void firn_paths_trace(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                      firn_film_sample* out_samples, firn_path_count* tally)
{
#if defined(__x86_64__)
    // lanes in step pay where the sun is all that is asked
    firn_paths_fn* trace = !view->lights->only_sun ? firn_paths_trace_level1
                           : firn_simd_has(4)      ? firn_paths_trace_level4
                           : firn_simd_has(3)      ? firn_paths_trace_level3
                                                   : firn_paths_trace_level1;
#else
    firn_paths_fn* trace = firn_paths_trace_level1;
#endif
    trace(view, jobs, count, out_samples, tally);
}
