// SPDX-License-Identifier: MIT
// The steps of solver grains as a table and as JSON: steps per second, which is what a program that
// runs in real time asks for, and where their time goes.
#include "cli/bench/bench_grains.h"

#include "cli/bench/bench_json.h"
#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"

static void print_json(const firn_bench_row* r)
{
    cli_json json = cli_bench_json_begin(r->name);
    cli_json_text(&json, "solver", "grains");
    cli_json_text(&json, "backend", r->backend);
    cli_json_int(&json, "threads", r->threads);
    cli_json_int(&json, "particles", r->particles);
    cli_json_real(&json, "neighbours", r->neighbours);
    cli_json_real(&json, "seconds_per_step", r->seconds_per_step);
    cli_json_real(&json, "steps_per_second", 1 / r->seconds_per_step);
    cli_json_real(&json, "particle_steps_per_second", r->steps_per_second);
    cli_json_real(&json, "bytes_per_particle", r->bytes_per_particle);
    cli_json_int(&json, "peak_bytes", (int64_t)r->peak_bytes);
    cli_json_real(&json, "device_bytes_per_particle", r->device_bytes_per_particle);
    cli_json_real(&json, "device_bytes", (double)r->device_bytes);
    cli_json_open_object(&json, "stage_seconds_per_step");
    for (int s = 0; s < r->stage_count; s++)
        cli_json_real(&json, r->stage_names[s], r->stage_seconds[s]);
    cli_json_close_object(&json);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void print_rates(const firn_bench_row* rows, int count)
{
    static const cli_column columns[] = {
        {"backend", false}, {"threads", true},         {"grains", true},  {"neighbours", true},
        {"steps/s", true},  {"M grain-steps/s", true}, {"B/grain", true}, {"device B/grain", true}};
    cli_table table;
    cli_table_init(&table, columns, 8);
    for (int i = 0; i < count; i++) {
        const firn_bench_row* r = &rows[i];
        char threads[16], neighbours[16], steps[32], all[32], bytes[32], device[32];
        snprintf(threads, sizeof threads, "%d", r->threads);
        snprintf(neighbours, sizeof neighbours, "%.1f", r->neighbours);
        snprintf(steps, sizeof steps, "%.1f", 1 / r->seconds_per_step);
        snprintf(all, sizeof all, "%.1f", 1e-6 * r->steps_per_second);
        snprintf(bytes, sizeof bytes, "%.0f", r->bytes_per_particle);
        snprintf(device, sizeof device, "%.0f", r->device_bytes_per_particle);
        cli_table_add(&table,
                      (const char*[]){r->backend, threads, cli_format_count(r->particles).text,
                                      neighbours, steps, all, bytes,
                                      r->device_bytes > 0 ? device : "-"});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

// Microseconds of each stage, a row for each measurement.
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
        char texts[CLI_TABLE_COLUMNS][32];
        const char* cells[CLI_TABLE_COLUMNS];
        snprintf(texts[0], sizeof texts[0], "%s", cli_format_count(rows[i].particles).text);
        snprintf(texts[1], sizeof texts[1], "%d", rows[i].threads);
        for (int c = 2; c < shown; c++)
            snprintf(texts[c], sizeof texts[c], "%.1f", 1e6 * rows[i].stage_seconds[stage[c]]);
        snprintf(texts[shown], sizeof texts[shown], "%.1f", 1e6 * rows[i].seconds_per_step);
        for (int c = 0; c <= shown; c++) cells[c] = texts[c];
        cli_table_add(&table, cells);
    }
    putchar('\n');
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

int cli_bench_grains(const firn_bench_def* def, bool json)
{
    firn_bench_row* rows = NULL;
    firn_error error = {0};
    int count = 0;
    const firn_result result = firn_bench(def, &rows, &count, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code(result);
    }
    if (json) {
        for (int k = 0; k < count; k++) print_json(&rows[k]);
    } else {
        print_rates(rows, count);
        print_stages(rows, count);
        puts("\nSteps are of 1 ms. Stages are microseconds of a step; on a GPU by the device's own "
             "clock, the\nwhole step by the clock on the wall. The fastest of the repeats counts.");
    }
    firn_bench_free(rows);
    return CLI_EXIT_OK;
}
