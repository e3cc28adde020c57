// SPDX-License-Identifier: MIT
// firn_bench_scale: the cost per particle should depend neither on the number of particles nor on
// the distance between them. One ball of growing size, then a hundred scattered balls in a domain a
// hundred times wider; every particle deforms.
#include <string.h>

#include "run/bench/bench_case.h"
#include "sim/defs.h"

#define WARM_UP_STEPS 10

static const int64_t sizes[] = {30000, 100000, FIRN_BENCH_SCALE_REFERENCE, 1000000, 5000000};
#define SIZES (int)(sizeof sizes / sizeof *sizes)

static firn_bench_case make_case(const char* name, int64_t particles, int balls)
{
    return (firn_bench_case){.name = name,
                             .integrator = "explicit",
                             .dt = "0",
                             .state = FIRN_BENCH_DEFORMING,
                             .particles = particles,
                             .balls = balls,
                             .warm_up = WARM_UP_STEPS};
}

// Chooses all sizes up to `largest`, or `largest` alone where it is below all of them. Returns the
// number of cases.
static int choose_cases(int64_t largest, firn_bench_case out_cases[SIZES + 1])
{
    int count = 0;
    for (int k = 0; k < SIZES; k++)
        if (sizes[k] <= largest) out_cases[count++] = make_case("one ball", sizes[k], 1);
    if (count == 0) out_cases[count++] = make_case("one ball", largest, 1);
    const int64_t scattered = largest < FIRN_BENCH_SCALE_REFERENCE ? out_cases[count - 1].particles
                                                                   : FIRN_BENCH_SCALE_REFERENCE;
    out_cases[count++] = make_case("100 balls, 100 times wider", scattered, 100);
    return count;
}

firn_result firn_bench_scale_sized(const firn_bench_def* def, uint32_t size,
                                   firn_bench_row** out_rows, int* out_count, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_bench_def own;
    FIRN_TRY(firn_bench_take(def, size, out_rows, out_count, &own, out_error));
    def = &own;
    FIRN_TRY(firn_bench_check(def, out_error));
    if (strcmp(def->solver, "mpm") != 0)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "scaling is measured with solver mpm, not %s", def->solver);
    if (def->particles < 1000)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "%lld particles are too few for a hundred balls: use 1000 or more",
                         (long long)def->particles);
    const int all = firn_bench_threads(def);
    firn_bench_case cases[SIZES + 1];
    firn_bench_job jobs[2 * (SIZES + 1)];
    const int case_count = choose_cases(def->particles, cases);
    int count = 0;
    for (int many = 0; many < (all > 1 ? 2 : 1); many++)
        for (int k = 0; k < case_count; k++)
            jobs[count++] = firn_bench_case_job(&cases[k], many ? all : 1);
    const firn_result r = firn_bench_run_jobs(def, jobs, count, out_rows, out_count, out_error);
    if (r != FIRN_OK) return firn_call_end(r, out_error);
    return firn_rows_give(*out_rows, *out_count, sizeof **out_rows, size, out_error);
}
