// SPDX-License-Identifier: MIT
// The integrator of path_fluid_vertex.h, one path at a time.
#include "render/path/path_fluid_vertex.h"
#include "render/path/simd/path_cpu.h"

firn_film_sample firn_path_trace_fluid(const firn_path_view* view, firn_ray ray, firn_rng r,
                                       firn_path_count* count)
{
    firn_fluid_path f = firn_fluid_path_start(view, ray, r, count);
    while (firn_fluid_path_vertex(&f)) continue;
    count->lookups += f.w.lookups;
    return firn_path_end(&f.p);
}

void firn_paths_trace_fluid(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                            firn_film_sample* samples, firn_path_count* tally)
{
    for (int64_t k = 0; k < count; k++)
        samples[k] = firn_path_trace_fluid(view, jobs[k].ray, jobs[k].rng, tally);
}
