// SPDX-License-Identifier: MIT
// Chooses the integrator for the best SIMD level of this machine.
#include "core/simd/simd.h"
#include "render/path/simd/path_cpu.h"

void firn_paths_trace(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                      firn_film_sample* out_samples, firn_path_count* tally)
{
    if (view->has_interfaces) {
        firn_paths_trace_fluid(view, jobs, count, out_samples, tally);
        return;
    }
#if defined(__x86_64__)
    // SIMD pays off only when the sun is the sole sampled light
    firn_paths_fn* trace = !view->lights->only_sun ? firn_paths_trace_level1
                           : firn_simd_has(4)      ? firn_paths_trace_level4
                           : firn_simd_has(3)      ? firn_paths_trace_level3
                                                   : firn_paths_trace_level1;
#else
    firn_paths_fn* trace = firn_paths_trace_level1;
#endif
    trace(view, jobs, count, out_samples, tally);
}
