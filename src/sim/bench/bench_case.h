// SPDX-License-Identifier: MIT
// One thing to measure: snow in a known state, stepped by some number of threads.
#pragma once
#include "sim/sim.h"

// What the snow is doing.
typedef enum firn_bench_state {
    FIRN_BENCH_CONTACT,   // a ball at 5 m/s, just above the floor: few particles deform
    FIRN_BENCH_DEFORMING  // squashed at constant volume: every particle yields in every step
} firn_bench_state;

#define FIRN_BENCH_RUN_AHEAD 16  // steps that a device has under way at once

typedef struct firn_bench_case {
    const char* name;
    const char* integrator;  // mpm.integrator
    const char* dt;          // mpm.dt; "0": chosen
    const char* spline;      // mpm.spline; null: as it is by default
    firn_bench_state state;
    int64_t particles;  // about how many, all balls together
    int balls;          // one, or many far apart
    int warm_up;        // steps before the measured ones
    bool wall_clock;    // a step's time is that of the clock on the wall, not the stages' sum: on a
                        // device, steps overlap
} firn_bench_case;

// What is measured on every machine; sizes are the caller's. The semi-implicit one is the last.
#define FIRN_BENCH_CASES 3
extern const firn_bench_case firn_bench_cases[FIRN_BENCH_CASES];

// FIRN_REFUSED_ARGUMENT: the def. FIRN_REFUSED_NAME: its solver.
firn_result firn_bench_check(const firn_bench_def* def, firn_error* error);
// Threads besides one; at least 1.
int firn_bench_threads(const firn_bench_def* def);
// Measures; fills every figure of the row. Says so in the log.
// On def->backend.
firn_result firn_bench_run(const firn_bench_def* def, const firn_bench_case* c, int threads,
                           firn_bench_row* out_row, firn_error* error);

// What all solvers' cases are made of. A simulation of the scene on so many threads; the row has
// everything that is known before a step is done. Owned by the caller.
firn_result firn_bench_open(const firn_bench_def* def, firn_scene* scene, int threads,
                            const char* name, firn_sim** out_sim, firn_bench_row* out_row,
                            firn_error* error);
// Runs the repeats and fills the row's times, iterations and neighbours with the fastest one's.
firn_result firn_bench_repeat(firn_sim* sim, const firn_bench_def* def, bool wall_clock,
                              firn_bench_row* row);
// Fills the row's memory; `bytes_before`: of the library before the simulation was created.
void firn_bench_weigh(const firn_sim* sim, uint64_t bytes_before, firn_bench_row* row);

// bench_sph.c: the rows of solver sph.
firn_result firn_bench_sph(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                           firn_error* error);
// bench_grains.c: the rows of solver grains, on a CPU or a device.
firn_result firn_bench_grains(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                              firn_error* error);
// bench_device.c: the rows for a device. Any backend will do, so that tests can see them.
firn_result firn_bench_device(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                              firn_error* error);
