// SPDX-License-Identifier: MIT
// One thing to measure: snow in a known state, stepped by some number of threads.
#pragma once
#include "sim/sim.h"

// What the snow is doing.
typedef enum firn_bench_state {
    FIRN_BENCH_CONTACT,   // a ball at 5 m/s, just above the floor: few particles deform
    FIRN_BENCH_DEFORMING  // squashed at constant volume: every particle yields in every step
} firn_bench_state;

typedef struct firn_bench_case {
    const char* name;
    const char* integrator;  // mpm.integrator
    const char* dt;          // mpm.dt; "0": chosen
    firn_bench_state state;
    int64_t particles;  // about how many, all balls together
    int balls;          // one, or many far apart
    int warm_up;        // steps before the measured ones
} firn_bench_case;

// FIRN_REFUSED_ARGUMENT: the def.
firn_result firn_bench_check(const firn_bench_def* def, firn_error* error);
// Threads besides one; at least 1.
int firn_bench_threads(const firn_bench_def* def);
// Measures; fills every figure of the row. Says so in the log.
firn_result firn_bench_run(const firn_bench_def* def, const firn_bench_case* c, int threads,
                           firn_bench_row* out_row, firn_error* error);
