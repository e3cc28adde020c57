// SPDX-License-Identifier: MIT
// firn bench --threads-table: rate, efficiency and waiting on 1, 2, 4, … threads.
#include <stdio.h>
#include <string.h>

#include "cli/bench/bench.h"

// clang-format off
static const cli_figure figures[] = {
    {"solver", "solver", CLI_LINE_STRING(row.solver)},
    {NULL, "bench", CLI_LINE_CHARS(row.name)},
    {"particles", "particles", CLI_LINE_INT64(row.particles), "count"},
    {"threads", "threads", CLI_LINE_INT(row.threads), "%.0f"},
    {"rate", "per second", CLI_LINE_REAL(row.rate), "rate"},
    {"unit", "of", CLI_LINE_STRING(row.unit)},
    {"efficiency", "efficiency", CLI_LINE_REAL(row.efficiency), "%.2f"},
    {"waiting_share", "waiting", CLI_LINE_REAL(row.waiting), "%.0f %%", 100},
    {"seconds_per_step", NULL, CLI_LINE_REAL(row.seconds_per_step), NULL, 1, CLI_EMPTY_OMITTED},
};
// clang-format on

static void print_json(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    (void)machine;
    for (int i = 0; i < count; i++) {
        const cli_bench_line line = {.row = rows[i]};
        cli_json json = cli_figures_json(&CLI_FIGURES(figures), rows[i].name, &line);
        if (rows[i].stage_count > 0) cli_bench_add_stages(&json, &rows[i], NULL);
        cli_figures_json_end(&json);
    }
}

static void print(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    (void)machine;
    cli_table table = cli_figures_table(&CLI_FIGURES(figures));
    for (int i = 0; i < count; i++) {
        const cli_bench_line line = {.row = rows[i]};
        cli_figures_add(&table, &CLI_FIGURES(figures), &line);
    }
    cli_figures_table_end(&table);
    puts("\nRates are those of all threads together: particle-steps, particle-iterations of the "
         "linear\nsolver per second of its time, paths. efficiency: rate / (threads x rate of one "
         "thread);\nwaiting: share of the threads' time in which they had no work. The fastest "
         "repeat counts.\nmachine: arithmetic in registers, what the cores themselves give.");
}

const cli_bench_kind cli_bench_table = {firn_bench_table, false, print_json, print};
