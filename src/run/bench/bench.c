// SPDX-License-Identifier: MIT
// firn_bench: solver mpm on one thread and on all of them, and the machine itself. bench_sph.c and
// bench_grains.c measure the other solvers, bench_scale.c sizes, bench_device.c GPUs.
#include <string.h>

#include "core/machine.h"
#include "run/bench/bench_case.h"
#include "sim/defs.h"
#include "sim/sim.h"

#define WARM_UP_STEPS 20
#define COPY_TRIES 5  // of a tenth of a second each, or less
#define LOOP_TRIES 20

static firn_result bench(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                         firn_error* out_error)
{
    const bool valid = def->backend != NULL;
    const char* solver = valid && def->solver != NULL ? def->solver : "";
    if (strcmp(solver, "grains") == 0)
        return firn_bench_grains(def, out_rows, out_count, out_error);
    if (valid && strcmp(solver, "sph") != 0 && strcmp(def->backend, "cpu") != 0)
        return firn_bench_device(def, out_rows, out_count, out_error);
    FIRN_TRY(firn_bench_check(def, out_error));
    if (strcmp(solver, "sph") == 0) return firn_bench_sph(def, out_rows, out_count, out_error);
    const int all = firn_bench_threads(def);
    firn_bench_case cases[FIRN_BENCH_CASES];
    firn_bench_job jobs[2 * FIRN_BENCH_CASES];
    int count = 0;
    for (int k = 0; k < FIRN_BENCH_CASES; k++) {
        cases[k] = firn_bench_cases[k];
        cases[k].particles = def->particles;
        cases[k].balls = 1;
        cases[k].warm_up = WARM_UP_STEPS;
        jobs[count++] = firn_bench_case_job(&cases[k], 1);
        if (all > 1) jobs[count++] = firn_bench_case_job(&cases[k], all);
    }
    return firn_bench_run_jobs(def, jobs, count, out_rows, out_count, out_error);
}

firn_result firn_bench_sized(const firn_bench_def* def, uint32_t size, firn_bench_row** out_rows,
                             int* out_count, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_bench_def own;
    FIRN_TRY(firn_bench_take(def, size, out_rows, out_count, &own, out_error));
    const firn_result r = bench(&own, out_rows, out_count, out_error);
    if (r != FIRN_OK) return firn_call_end(r, out_error);
    return firn_rows_give(*out_rows, *out_count, sizeof **out_rows, size, out_error);
}

firn_result firn_bench_machine_sized(const firn_bench_def* def, firn_machine* out_machine,
                                     uint32_t size, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_bench_def own;
    if (out_machine == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT, "%s needs room for its rates", __func__);
    FIRN_TRY(firn_def_take(FIRN_DEF_BENCH, def, &own, out_error));
    def = &own;
    FIRN_TRY(firn_bench_check(def, out_error));
    const firn_machine_loops* loops = firn_machine_loops_find(def->simd);
    if (loops == NULL)
        return firn_fail(out_error, FIRN_REFUSED_BACKEND,
                         "SIMD level '%s' is unknown or not supported by this machine (baseline, "
                         "x86-64-v3, x86-64-v4)",
                         def->simd);
    const firn_log log = {def->log, def->user};
    firn_log_write(&log, FIRN_LOG_INFO, "bench.machine", "clock, arithmetic and memory");
    firn_machine m = {.simd = loops->simd, .threads = firn_bench_threads(def)};
    const size_t bytes = firn_machine_copy_bytes();
    m.clock_hz = firn_machine_clock(LOOP_TRIES);
    m.flops_core = firn_machine_flops(loops, LOOP_TRIES);
    if (firn_machine_copy(1, bytes, COPY_TRIES, &m.copy_one) != FIRN_OK ||
        firn_machine_copy(m.threads, bytes, COPY_TRIES, &m.copy_all) != FIRN_OK)
        return firn_fail(out_error, FIRN_BROKEN_MEMORY,
                         "out of memory for the two arrays of %lld MiB of the copy test",
                         (long long)(bytes >> 20));
    firn_give(out_machine, size, &m, sizeof m);
    return FIRN_OK;
}
