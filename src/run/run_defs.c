// SPDX-License-Identifier: MIT
// Default functions of the definition structs of run.h and tools.h.
#include "sim/sim.h"

firn_export_def firn_default_export_def(void)
{
    return (firn_export_def){.frame_end = -1, .samples = 512, .cookie = FIRN_COOKIE};
}

firn_measure_def firn_default_measure_def(void)
{
    return (firn_measure_def){
        .frame_end = -1, .threshold = 100, .smallest = 8, .cookie = FIRN_COOKIE};
}

firn_render_def firn_default_render_def(void)
{
    return (firn_render_def){
        .frame_end = -1, .frame_step = 1, .exr = true, .film = true, .cookie = FIRN_COOKIE};
}

firn_bench_def firn_default_bench_def(void)
{
    return (firn_bench_def){.solver = "mpm",
                            .particles = 300000,
                            .steps = 16,
                            .repeats = 3,
                            .backend = "cpu",
                            .cookie = FIRN_COOKIE};
}
