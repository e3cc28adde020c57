// SPDX-License-Identifier: MIT
// firn_paths_trace per SIMD level.
#pragma once
#include "render/path/path.h"

typedef void firn_paths_fn(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                           firn_film_sample* samples, firn_path_count* tally);

firn_paths_fn firn_paths_trace_level1;  // path.c: scalar
firn_paths_fn firn_paths_trace_fluid;   // path_fluid.c: scalar, with interfaces
#if defined(__x86_64__)
firn_paths_fn firn_paths_trace_level3, firn_paths_trace_level4;
#endif
