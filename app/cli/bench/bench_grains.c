// SPDX-License-Identifier: MIT
// firn bench --solver grains, on a CPU or a GPU: steps per second, which decide whether a scene
// runs in real time, and the time of each stage.
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/terminal/format.h"

// clang-format off
static const cli_figure figures[] = {
    {"solver", NULL, CLI_LINE_STRING(solver)},
    {"backend", "backend", CLI_LINE_CHARS(row.backend)},
    {"threads", "threads", CLI_LINE_INT(row.threads), "%.0f"},
    {"particles", "grains", CLI_LINE_INT64(row.particles), "count"},
    {"neighbours", "neighbours", CLI_LINE_REAL(row.neighbours), "%.1f"},
    {"seconds_per_step", NULL, CLI_LINE_REAL(row.seconds_per_step)},
    {"steps_per_second", "steps/s", CLI_LINE_REAL(step_rate), "%.1f"},
    {"particle_steps_per_second", "M grain-steps/s", CLI_LINE_REAL(row.steps_per_second), "%.1f",
     1e-6},
    {"bytes_per_particle", "B/grain", CLI_LINE_REAL(row.bytes_per_particle), "%.0f"},
    {"peak_bytes", NULL, CLI_LINE_INT64(row.peak_bytes)},
    {"device_bytes_per_particle", "device B/grain", CLI_LINE_REAL(row.device_bytes_per_particle),
     "%.0f", 1, CLI_EMPTY_DASH},
    {"device_bytes", NULL, CLI_LINE_INT64(row.device_bytes)},
};
// clang-format on

static void print_json(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    for (int i = 0; i < count; i++) {
        cli_bench_line line = cli_bench_line_of(&rows[i], machine);
        line.solver = "grains";
        cli_json json = cli_figures_json(&CLI_FIGURES(figures), rows[i].name, &line);
        cli_bench_add_stages(&json, &rows[i], NULL);
        cli_figures_json_end(&json);
    }
}

// Microseconds of each stage, one row per measurement.
static void print_stages(const firn_bench_row* rows, int count)
{
    cli_column columns[CLI_TABLE_COLUMNS] = {{"grains", true}, {"threads", true}};
    int shown = 2, stage[CLI_TABLE_COLUMNS];
    for (int s = 0; s < rows[0].stage_count && shown < CLI_TABLE_COLUMNS - 1; s++) {
        double most = 0;
        for (int i = 0; i < count; i++)
            most = rows[i].stage_seconds[s] > most ? rows[i].stage_seconds[s] : most;
        if (!(most > 0)) continue;
        stage[shown] = s;
        columns[shown++] = (cli_column){rows[0].stage_names[s], true};
    }
    columns[shown] = (cli_column){"whole step", true};
    cli_table table;
    cli_table_init(&table, columns, shown + 1);
    for (int i = 0; i < count; i++) {
        cli_text32 texts[CLI_TABLE_COLUMNS] = {cli_format_count(rows[i].particles)};
        const char* cells[CLI_TABLE_COLUMNS];
        snprintf(texts[1].text, sizeof *texts, "%d", rows[i].threads);
        for (int c = 2; c < shown; c++)
            snprintf(texts[c].text, sizeof *texts, "%.1f", 1e6 * rows[i].stage_seconds[stage[c]]);
        snprintf(texts[shown].text, sizeof *texts, "%.1f", 1e6 * rows[i].seconds_per_step);
        for (int c = 0; c <= shown; c++) cells[c] = texts[c].text;
        cli_table_add(&table, cells);
    }
    putchar('\n');
    cli_figures_table_end(&table);
}

static void print(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    (void)machine;
    cli_bench_print_rates(&CLI_FIGURES(figures), rows, count);
    print_stages(rows, count);
    puts("\nOne step is 1 ms. Stages are in microseconds per step, on a GPU by device timers; the "
         "whole\nstep is wall-clock time. The fastest repeat counts.");
}

const cli_bench_kind cli_bench_grains = {firn_bench, false, print_json, print};
