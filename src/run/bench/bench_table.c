// SPDX-License-Identifier: MIT
// firn_bench_table: how the rates of all solvers and of the path tracer grow with threads. Each
// case runs on 1, 2, 4, … threads, one after the other in one process, so that rates compare. Steps
// are chosen for repeats of one to three seconds on one core; a fresh simulation per number of
// threads does the same steps, bit for bit, with memory that its own threads have touched first.
// The first case is the machine's own: arithmetic in registers, that shares nothing but the cores.
#include <stdio.h>
#include <string.h>

#include "core/machine.h"
#include "core/memory.h"
#include "core/simd/simd.h"
#include "core/threads/team.h"
#include "core/timer.h"
#include "run/bench/bench_case.h"
#include "sim/defs.h"

#define THREAD_COUNTS 32  // 1, 2, 4, … 2^30, and the number requested

#define CHAIN_ROUNDS 4000000    // of the arithmetic: some 10 ms
#define ARITHMETIC_SECONDS 1.0  // until then the system has given every thread a core of its own

typedef enum table_kind {
    ARITHMETIC,
    EXPLICIT,
    SEMI_IMPLICIT,
    PRESSURE,
    SNOW,
    GRAINS,
    PATHS
} table_kind;

typedef struct table_case {
    const char* solver;
    table_kind kind;
    int64_t particles;
    int warm_up, steps;
} table_case;

static const table_case table[] = {
    {"machine", ARITHMETIC, 0, 0, 1},
    {"mpm", EXPLICIT, 1000000, 4, 16},  // 16: particles are sorted once
    {"mpm", SEMI_IMPLICIT, 1000000, 1, 1},
    {"sph", PRESSURE, 97000, 20, 10},
    {"sph", SNOW, 97000, 10, 4},
    {"sph", PRESSURE, 500000, 5, 3},
    {"sph", SNOW, 500000, 3, 1},
    {"grains", GRAINS, 8000, 20, 200},
    {"grains", GRAINS, 75600, 20, 40},
    {"grains", GRAINS, 111000, 20, 30},
    {"path", PATHS, 300000, 0, 3},
};
#define CASES (int)(sizeof table / sizeof *table)

// The cases of the def, with its particles and steps where it has some: then one size is enough.
static int choose_cases(const firn_bench_def* def, table_case* out_cases)
{
    int count = 0;
    for (int k = 0; k < CASES; k++) {
        table_case c = table[k];
        const bool machine = c.kind == ARITHMETIC;
        if (!machine && def->solver != NULL && strcmp(def->solver, c.solver) != 0) continue;
        bool seen = false;
        for (int i = 0; i < count; i++) seen = seen || out_cases[i].kind == c.kind;
        if (seen && def->particles > 0) continue;
        if (def->particles > 0 && !machine) c.particles = def->particles;
        if (def->steps > 0) c.steps = def->steps;
        if (c.kind == PATHS && c.steps < 2) c.steps = 2;  // noise needs two samples
        out_cases[count++] = c;
    }
    return count;
}

// 1, 2, 4, … and `most`.
static int choose_threads(int most, int* out_threads)
{
    int count = 0;
    for (int n = 1; n < most; n *= 2) out_threads[count++] = n;
    out_threads[count++] = most;
    return count;
}

static firn_result check(const firn_bench_def* def, firn_error* error)
{
    if (def == NULL || def->backend == NULL || strcmp(def->backend, "cpu") != 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the table of threads measures the CPU: use backend cpu");
    firn_bench_def complete = *def;
    const bool any = def->solver == NULL || strcmp(def->solver, "path") == 0;
    if (any) complete.solver = "mpm";
    if (def->particles == 0) complete.particles = 1000000;
    if (def->steps == 0) complete.steps = 1;
    return firn_bench_check(&complete, error);
}

static firn_result measure_steps(const firn_bench_def* def, const table_case* c, int threads,
                                 firn_bench_row* out_row, firn_error* error)
{
    firn_bench_case mpm = firn_bench_cases[c->kind == EXPLICIT ? 0 : FIRN_BENCH_CASES - 1];
    mpm.balls = 1;
    mpm.particles = c->particles;
    firn_bench_job job =
        c->kind == PRESSURE ? firn_bench_sph_job(FIRN_BENCH_SPH_PRESSURE, c->particles, threads)
        : c->kind == SNOW   ? firn_bench_sph_job(FIRN_BENCH_SPH_SNOW, c->particles, threads)
        : c->kind == GRAINS ? firn_bench_grains_job(def, c->particles, threads)
                            : firn_bench_case_job(&mpm, threads);
    job.warm_up = c->warm_up;
    job.wall_clock = true;  // what is between stages counts
    firn_bench_row* rows;
    int count;
    FIRN_TRY(firn_bench_run_jobs(def, &job, 1, &rows, &count, error));
    firn_bench_row_copy(&rows[0], out_row);
    firn_bench_free(rows);
    out_row->rate = out_row->steps_per_second;
    out_row->unit = "particle-steps";
    if (c->kind != SEMI_IMPLICIT) return FIRN_OK;
    out_row->rate = out_row->iterations_per_second_core * threads;
    out_row->unit = "iterations";
    return FIRN_OK;
}

static firn_result measure_paths(const firn_bench_def* def, int threads, firn_bench_row* out_row,
                                 firn_error* error)
{
    firn_bench_picture_row picture;
    FIRN_TRY(firn_bench_snowball(def, threads, &picture, error));
    *out_row = (firn_bench_row){.backend = "cpu",
                                .threads = threads,
                                .particles = picture.particles,
                                .rate = picture.paths_per_second_core * threads,
                                .unit = "paths",
                                .waiting = picture.waiting};
    snprintf(out_row->name, sizeof out_row->name, "%s", picture.name);
    return FIRN_OK;
}

typedef struct chain_args {
    const firn_machine_loops* loops;
    double* seen;  // [workers] keeps the compiler from removing the work
} chain_args;

static void run_chains(const void* self, firn_local begin, firn_local end)
{
    const chain_args* a = self;
    for (firn_local k = begin; k < end; k++)
        a->seen[k] = (double)a->loops->chains(CHAIN_ROUNDS, (firn_real)0.5, (firn_real)0.25);
}

// Operations per second of as many chains as there are threads, the fastest repeat.
static firn_result measure_arithmetic(const firn_bench_def* def, int threads,
                                      firn_bench_row* out_row, firn_error* error)
{
    firn_team* team = firn_team_create(threads);
    double* seen = firn_alloc((size_t)threads, sizeof *seen);
    const chain_args args = {firn_machine_loops_find(def->simd), seen};
    double best = 0;
    if (team != NULL && seen != NULL && args.loops != NULL) {
        firn_team* outer = firn_team_use(team);
        const double begun = firn_seconds();
        for (int r = 0; r <= def->repeats || firn_seconds() - begun < ARITHMETIC_SECONDS; r++) {
            const double start = firn_seconds();  // the first starts the threads
            firn_share(threads, 1, run_chains, &args);
            const double seconds = firn_seconds() - start;
            if (r > 0 && (best == 0 || seconds < best)) best = seconds;
        }
        firn_team_use(outer);
    }
    firn_team_destroy(team);
    firn_free(seen);
    if (best == 0) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for threads");
    const double each = 2.0 * FIRN_MACHINE_CHAINS * args.loops->lanes * CHAIN_ROUNDS;
    *out_row = (firn_bench_row){.name = "arithmetic",
                                .backend = "cpu",
                                .threads = threads,
                                .rate = each * threads / best,
                                .unit = "operations"};
    return FIRN_OK;
}

static firn_result measure_case(const firn_bench_def* def, const table_case* c, int threads,
                                firn_bench_row* out_row, firn_error* error)
{
    firn_bench_def own = *def;
    own.solver = c->solver;
    own.particles = c->particles;
    own.steps = c->steps;
    if (c->kind == ARITHMETIC)
        FIRN_TRY(measure_arithmetic(def, threads, out_row, error));
    else if (c->kind == PATHS)
        FIRN_TRY(measure_paths(&own, threads, out_row, error));
    else
        FIRN_TRY(measure_steps(&own, c, threads, out_row, error));
    out_row->solver = c->solver;
    return FIRN_OK;
}

static firn_result measure_all(const firn_bench_def* def, const table_case* cases, int case_count,
                               firn_bench_row* out_rows, firn_error* error)
{
    int threads[THREAD_COUNTS];
    const int sizes = choose_threads(firn_bench_threads(def), threads);
    for (int c = 0; c < case_count; c++)
        for (int n = 0; n < sizes; n++) {
            firn_bench_row* row = &out_rows[c * sizes + n];
            FIRN_TRY(measure_case(def, &cases[c], threads[n], row, error));
            row->efficiency = row->rate / (threads[n] * row[-n].rate);
        }
    return FIRN_OK;
}

firn_result firn_bench_table_sized(const firn_bench_def* def, uint32_t size,
                                   firn_bench_row** out_rows, int* out_count, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_bench_def own;
    FIRN_TRY(firn_bench_take(def, size, out_rows, out_count, &own, out_error));
    def = &own;
    FIRN_TRY(check(def, out_error));
    table_case cases[CASES];
    int threads[THREAD_COUNTS];
    const int case_count = choose_cases(def, cases);
    const int count = case_count * choose_threads(firn_bench_threads(def), threads);
    firn_bench_row* rows = firn_bench_rows_create(count);
    if (rows == NULL) return firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    const firn_result r = measure_all(def, cases, case_count, rows, out_error);
    if (r != FIRN_OK) {
        firn_free(rows);
        return firn_call_end(r, out_error);
    }
    *out_rows = rows;
    *out_count = count;
    return firn_rows_give(rows, count, sizeof *rows, size, out_error);
}
