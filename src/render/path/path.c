// SPDX-License-Identifier: MIT
// The scalar integrator, one path at a time: the reference for simd/path_simd.c, which must give
// the same bits.
#include "render/path/path.h"

#include "render/path/path_vertex.h"
#include "render/path/simd/path_cpu.h"

firn_film_sample firn_path_trace(const firn_path_view* view, firn_ray ray, firn_rng r,
                                 firn_path_count* count)
{
    firn_walk w;
    firn_path p = firn_path_start(view, ray, r, count, &w);
    while (firn_path_vertex(&p, &w)) continue;
    count->lookups += w.lookups;
    return firn_path_end(&p);
}

void firn_paths_trace_level1(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                             firn_film_sample* samples, firn_path_count* tally)
{
    for (int64_t k = 0; k < count; k++)
        samples[k] = firn_path_trace(view, jobs[k].ray, jobs[k].rng, tally);
}
