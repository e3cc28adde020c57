// SPDX-License-Identifier: MIT
// firn bench --solver sph: steps with the iterations of both solves.
#include <stdio.h>

#include "cli/bench/bench.h"

// clang-format off
static const cli_figure figures[] = {
    {NULL, "bench", CLI_LINE_CHARS(row.name)},
    {"backend", "backend", CLI_LINE_CHARS(row.backend)},
    {"solver", NULL, CLI_LINE_STRING(solver)},
    {"threads", "threads", CLI_LINE_INT(row.threads), "%.0f"},
    {"particles", "particles", CLI_LINE_INT64(row.particles), "count"},
    {"neighbours", "neighbours", CLI_LINE_REAL(row.neighbours), "%.1f"},
    {"left_out", NULL, CLI_LINE_STRING(row.left_out), NULL, 1, CLI_EMPTY_OMITTED},
    {NULL, "pressure", CLI_LINE_REAL(row.iterations), "%.1f"},
    {NULL, "shear", CLI_LINE_REAL(shear_iterations), "%.1f", 1, CLI_EMPTY_DASH},
    {"seconds_per_step", NULL, CLI_LINE_REAL(row.seconds_per_step)},
    {"particle_steps_per_second", "steps/s", CLI_LINE_REAL(row.steps_per_second), "rate"},
    {"particle_steps_per_second_core", "per core", CLI_LINE_REAL(row.steps_per_second_core),
     "rate"},
    {"pressure_iterations_per_step", NULL, CLI_LINE_REAL(row.iterations)},
    {"shear_iterations_per_step", NULL, CLI_LINE_REAL(shear_iterations), NULL, 1,
     CLI_EMPTY_OMITTED},
    {"bytes_per_particle", "B/particle", CLI_LINE_REAL(row.bytes_per_particle), "%.4g"},
    {"device_bytes_per_particle", "on device", CLI_LINE_REAL(row.device_bytes_per_particle), "%.4g",
     1, CLI_EMPTY_DASH},
    {"peak_bytes", "peak memory", CLI_LINE_INT64(row.peak_bytes), "bytes"},
};
// clang-format on

static void print_json(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    for (int i = 0; i < count; i++) {
        cli_bench_line line = cli_bench_line_of(&rows[i], machine);
        line.solver = "sph";
        cli_json json = cli_figures_json(&CLI_FIGURES(figures), rows[i].name, &line);
        cli_bench_add_stages(&json, &rows[i], machine);
        cli_bench_add_machine(&json, machine);
        cli_figures_json_end(&json);
    }
}

static void print(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    cli_bench_print_rates(&CLI_FIGURES(figures), rows, count);
    cli_bench_print_stages(rows, count, machine);
    cli_bench_print_machine(machine);
    puts("steps/s: particle-steps per second; pressure, shear: iterations of the two solves per "
         "step;\n"
         "ns and cycles are those of one core. The fastest repeat counts. `pressure` excludes the "
         "time\n"
         "of 06_shear from all its figures.");
}

const cli_bench_kind cli_bench_sph = {firn_bench, true, print_json, print};
