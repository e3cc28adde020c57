// SPDX-License-Identifier: MIT
// firn bench: steps of solver mpm on the CPU.
#include <stdio.h>

#include "cli/bench/bench.h"

// clang-format off
static const cli_figure figures[] = {
    {NULL, "bench", CLI_LINE_CHARS(row.name)},
    {"threads", "threads", CLI_LINE_INT(row.threads), "%.0f"},
    {"particles", "particles", CLI_LINE_INT64(row.particles), "count"},
    {"nodes", NULL, CLI_LINE_INT64(row.nodes)},
    {"yielding_share", "yielding", CLI_LINE_REAL(row.yielding), "%.0f %%", 100},
    {"seconds_per_step", NULL, CLI_LINE_REAL(row.seconds_per_step)},
    {"particle_steps_per_second", "steps/s", CLI_LINE_REAL(row.steps_per_second), "rate"},
    {"particle_steps_per_second_core", "per core", CLI_LINE_REAL(row.steps_per_second_core),
     "rate"},
    {"core_nanoseconds_per_particle", NULL, CLI_LINE_REAL(core_ns)},
    {"core_cycles_per_particle", NULL, CLI_LINE_REAL(core_cycles)},
    {"iterations_per_step", "iterations", CLI_LINE_REAL(row.iterations), "%.4g", 1, CLI_EMPTY_DASH},
    {"particle_iterations_per_second_core", "iter./s core",
     CLI_LINE_REAL(row.iterations_per_second_core), "rate", 1, CLI_EMPTY_DASH},
    {"bytes_per_particle", "B/particle", CLI_LINE_REAL(row.bytes_per_particle), "%.4g"},
    {"peak_bytes", "peak memory", CLI_LINE_INT64(row.peak_bytes), "bytes"},
};
// clang-format on

static void print_json(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    for (int i = 0; i < count; i++) {
        const cli_bench_line line = cli_bench_line_of(&rows[i], machine);
        cli_json json = cli_figures_json(&CLI_FIGURES(figures), rows[i].name, &line);
        cli_bench_add_stages(&json, &rows[i], machine);
        cli_bench_add_floor(&json, &rows[i], machine);
        cli_bench_add_machine(&json, machine);
        cli_figures_json_end(&json);
    }
}

static void print(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    cli_bench_print_rates(&CLI_FIGURES(figures), rows, count);
    cli_bench_print_stages(rows, count, machine);
    cli_bench_print_machine(machine);
    puts("steps/s: particle-steps per second; iter./s core: particle-iterations of the linear "
         "solver\n"
         "per second and core; yielding: share of particles that yield in a step; ns and cycles "
         "are\n"
         "those of one core. The fastest repeat counts.");
}

const cli_bench_kind cli_bench_mpm = {firn_bench, true, print_json, print};
