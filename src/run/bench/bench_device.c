// SPDX-License-Identifier: MIT
// Benchmark of solver mpm on a device: the cases of the CPU in larger sizes. A device has several
// steps in flight at once, so steps are timed by wall clock over whole batches of that many, after
// a warm-up of whole batches.
#include <string.h>

#include "run/bench/bench_case.h"

#define MEMORY_PARTICLES 60000000  // fits into one GPU with 141 GB

static const int64_t sizes[] = {1000000, 4100000, 16000000};
#define SIZES (int)(sizeof sizes / sizeof *sizes)

#define CASES (FIRN_BENCH_CASES + 2)  // per size: those of every machine, and quadratic splines

// The k-th case: those of every machine, then the explicit ones again with quadratic splines.
static firn_bench_case case_of(int k)
{
    if (k < FIRN_BENCH_CASES) return firn_bench_cases[k];
    static const char* const names[] = {"quadratic, early contact", "quadratic, deforming"};
    firn_bench_case c = firn_bench_cases[k - FIRN_BENCH_CASES];
    c.name = names[k - FIRN_BENCH_CASES];
    c.spline = "quadratic";
    return c;
}

// The cases of one size; with --memory only the semi-implicit one, which needs the most.
static int choose_cases(const firn_bench_def* def, int64_t particles, firn_bench_case* out_cases)
{
    int count = 0;
    for (int k = 0; k < CASES; k++) {
        if (def->memory && k != FIRN_BENCH_CASES - 1) continue;
        firn_bench_case c = case_of(k);
        c.particles = particles;
        c.balls = 1;
        c.warm_up = FIRN_BENCH_RUN_AHEAD;
        c.wall_clock = true;
        out_cases[count++] = c;
    }
    return count;
}

static int choose_all(const firn_bench_def* def, firn_bench_case* out_cases)
{
    if (def->particles > 0) return choose_cases(def, def->particles, out_cases);
    if (def->memory) return choose_cases(def, MEMORY_PARTICLES, out_cases);
    int count = 0;
    for (int k = 0; k < SIZES; k++) count += choose_cases(def, sizes[k], out_cases + count);
    return count;
}

firn_result firn_bench_device(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                              firn_error* error)
{
    firn_bench_def batches = *def;
    if (batches.particles == 0) batches.particles = sizes[0];  // for the check
    FIRN_TRY(firn_bench_check(&batches, error));
    if (strcmp(def->solver, "mpm") != 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a device is measured with solver mpm, not %s", def->solver);
    const int left = batches.steps % FIRN_BENCH_RUN_AHEAD;
    if (left > 0) batches.steps += FIRN_BENCH_RUN_AHEAD - left;
    firn_bench_case chosen[SIZES * CASES];
    firn_bench_job jobs[SIZES * CASES];
    const int count = choose_all(def, chosen);
    for (int k = 0; k < count; k++)
        jobs[k] = firn_bench_case_job(&chosen[k], firn_bench_threads(def));
    return firn_bench_run_jobs(&batches, jobs, count, out_rows, out_count, error);
}
