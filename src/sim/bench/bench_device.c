// SPDX-License-Identifier: MIT
// Measuring a device: the states of the CPU's bench in the sizes that a GPU is for. A device has
// several steps under way at once, so steps are timed by the clock on the wall, over whole rounds
// of that many, after a warm-up of whole rounds.
#include <string.h>

#include "core/memory.h"
#include "sim/bench/bench_case.h"

#define MEMORY_PARTICLES 60000000  // what one card of 141 GB has to hold

static const int64_t sizes[] = {1000000, 4100000, 16000000};
#define SIZES (int)(sizeof sizes / sizeof *sizes)

#define CASES (FIRN_BENCH_CASES + 2)  // of one size: those of every machine, and quadratic splines

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

// Cases of one size; a semi-implicit solve holds everything that any of them does.
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
    firn_bench_def rounds = *def;
    if (rounds.particles == 0) rounds.particles = sizes[0];  // for the check
    FIRN_TRY(firn_bench_check(&rounds, error));
    if (strcmp(def->solver, "mpm") != 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a device is measured with solver mpm, not %s", def->solver);
    const int left = rounds.steps % FIRN_BENCH_RUN_AHEAD;
    if (left > 0) rounds.steps += FIRN_BENCH_RUN_AHEAD - left;
    firn_bench_case chosen[SIZES * CASES];
    const int count = choose_all(def, chosen);
    firn_bench_row* rows = firn_alloc((size_t)count, sizeof *rows);
    if (rows == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    for (int k = 0; k < count; k++) {
        const firn_result r =
            firn_bench_run(&rounds, &chosen[k], firn_bench_threads(def), &rows[k], error);
        if (r == FIRN_OK) continue;
        firn_free(rows);
        return r;
    }
    *out_rows = rows;
    *out_count = count;
    return FIRN_OK;
}
