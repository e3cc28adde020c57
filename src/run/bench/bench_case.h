// SPDX-License-Identifier: MIT
// Measurements of steps: a job is a scene in a known state, stepped by some number of threads.
// Benches name solvers and their keys as scene files do, and include none.
#pragma once
#include "core/result.h"
#include "firn/firn.h"

#define FIRN_BENCH_RUN_AHEAD 16  // steps that a device has in flight at once

typedef struct firn_bench_job firn_bench_job;
struct firn_bench_job {
    const char* name;
    int64_t particles;  // approximately
    int threads;
    int warm_up;           // steps before the measured ones
    int steps;             // measured ones per repeat; 0: those of the def
    bool wall_clock;       // time steps by wall clock, not by the sum of stages: on a device, steps
                           // overlap
    const char* left_out;  // stage whose time is excluded; null: none
    const void* details;   // of the solver's own cases; borrowed
    // Adds what is measured to an empty scene; the scene's messages say what is wrong.
    firn_result (*build)(firn_scene* scene, const firn_bench_job* job);
    // Warms up, measures, fills the row. `bytes_before`: of the library before the simulation was
    // created. Null: firn_bench_measure.
    firn_result (*measure)(firn_sim* sim, const firn_bench_def* def, const firn_bench_job* job,
                           uint64_t bytes_before, firn_bench_row* row);
};

// FIRN_REFUSED_ARGUMENT: the def is invalid. FIRN_REFUSED_NAME: there is no bench of its solver.
firn_result firn_bench_check(const firn_bench_def* def, firn_error* error);
// Number of threads to measure besides one; at least 1.
int firn_bench_threads(const firn_bench_def* def);

// Checks what all benches of rows need, and copies the def. `size`: of the caller's rows.
firn_result firn_bench_take(const firn_bench_def* def, uint32_t size, firn_bench_row** out_rows,
                            const int* out_count, firn_bench_def* out_own, firn_error* error);
// Makes room for rows and the times of their stages in one block; null: out of memory.
firn_bench_row* firn_bench_rows_create(int count);
// Copies a row, with its times, to another block.
void firn_bench_row_copy(const firn_bench_row* from, firn_bench_row* to);

// Runs the jobs in order on def->backend, one row each; reports each in the log. out_rows: owned by
// the caller, free with firn_bench_free.
firn_result firn_bench_run_jobs(const firn_bench_def* def, const firn_bench_job* jobs, int count,
                                firn_bench_row** out_rows, int* out_count, firn_error* error);

// The parts of a measurement: steps without timing them; the repeats, of which the fastest fills
// the row's times, iterations and neighbours; the row's memory.
firn_result firn_bench_warm_up(firn_sim* sim, int steps);
firn_result firn_bench_repeat(firn_sim* sim, const firn_bench_def* def, bool wall_clock,
                              firn_bench_row* row);
void firn_bench_weigh(const firn_sim* sim, uint64_t bytes_before, firn_bench_row* row);
firn_result firn_bench_measure(firn_sim* sim, const firn_bench_def* def, const firn_bench_job* job,
                               uint64_t bytes_before, firn_bench_row* row);

// ---- cases of solver mpm ----------------------------------------------------------------------

// What the snow is doing.
typedef enum firn_bench_state {
    FIRN_BENCH_CONTACT,   // a ball at 5 m/s, just above the floor: few particles deform
    FIRN_BENCH_DEFORMING  // squeezed at constant volume: every particle yields in every step
} firn_bench_state;

typedef struct firn_bench_case {
    const char* name;
    const char* integrator;  // mpm.integrator
    const char* dt;          // mpm.dt; "0": chosen by the solver
    const char* spline;      // mpm.spline; null: the default
    firn_bench_state state;
    int64_t particles;  // approximately, all balls together
    int balls;          // one, or many far apart
    int warm_up;        // steps before the measured ones
    bool wall_clock;    // as in firn_bench_job
} firn_bench_case;

// Measured on every machine; the caller chooses sizes. The semi-implicit one is the last.
#define FIRN_BENCH_CASES 3
extern const firn_bench_case firn_bench_cases[FIRN_BENCH_CASES];

// The job that measures the case. `c` is borrowed.
firn_bench_job firn_bench_case_job(const firn_bench_case* c, int threads);

// ---- jobs of the other solvers, rows of these, of devices and of pictures ----------------------

typedef enum firn_bench_sph_case {
    FIRN_BENCH_SPH_PRESSURE,
    FIRN_BENCH_SPH_ELASTIC,
    FIRN_BENCH_SPH_SNOW,
    FIRN_BENCH_SPH_SNOW_FIXED,
    FIRN_BENCH_SPH_CASES
} firn_bench_sph_case;
firn_bench_job firn_bench_sph_job(firn_bench_sph_case c, int64_t particles, int threads);
firn_bench_job firn_bench_grains_job(const firn_bench_def* def, int64_t particles, int threads);
// bench_picture.c: the snowball on its floor, wider than in firn_bench_pictures: large pictures
// keep more threads busy
firn_result firn_bench_snowball(const firn_bench_def* def, int threads,
                                firn_bench_picture_row* out_row, firn_error* error);

// bench_sph.c
firn_result firn_bench_sph(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                           firn_error* error);
// bench_grains.c: on a CPU or a device
firn_result firn_bench_grains(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                              firn_error* error);
// bench_device.c: solver mpm on a device. Works with any backend, so that tests can run it.
firn_result firn_bench_device(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                              firn_error* error);
