// SPDX-License-Identifier: MIT
// firn bench --backend cuda: a GPU's rates as tables and as JSON. Steps overlap on a device, so a
// step's time is wall clock over many of them; stages are the device's own clock where it has one.
#include "cli/bench/bench_device.h"

#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench_json.h"
#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"

// The card behind "cuda:1", as `firn version` has it; empty for the CPU.
static firn_device_info device_of(const char* backend)
{
    enum { MOST = 32 };
    firn_device_info devices[MOST];
    const int count = firn_device_list(devices, MOST, NULL);
    for (int d = 0; d < count && d < MOST; d++)
        if (strcmp(devices[d].backend, backend) == 0) return devices[d];
    return (firn_device_info){0};
}

static void print_json(const firn_bench_row* r, const firn_device_info* device)
{
    cli_json json = cli_bench_json_begin(r->name);
    cli_json_text(&json, "backend", r->backend);
    cli_json_text(&json, "device", *device->name != '\0' ? device->name : NULL);
    cli_json_int(&json, "threads", r->threads);
    cli_json_int(&json, "particles", r->particles);
    cli_json_int(&json, "nodes", r->nodes);
    cli_json_real(&json, "yielding_share", r->yielding);
    cli_json_real(&json, "seconds_per_step", r->seconds_per_step);
    cli_json_real(&json, "particle_steps_per_second", r->steps_per_second);
    cli_json_real(&json, "iterations_per_step", r->iterations);
    cli_json_real(&json, "particle_iterations_per_second", r->iterations_per_second);
    cli_json_real(&json, "bytes_per_particle", r->bytes_per_particle);
    cli_json_int(&json, "peak_bytes", (int64_t)r->peak_bytes);
    cli_json_real(&json, "device_bytes_per_particle", r->device_bytes_per_particle);
    cli_json_real(&json, "device_bytes", (double)r->device_bytes);
    cli_json_open_object(&json, "stage_seconds_per_step");
    for (int s = 0; s < r->stage_count; s++)
        cli_json_real(&json, r->stage_names[s], r->stage_seconds[s]);
    cli_json_close_object(&json);
    cli_json_open_object(&json, "floor");
    cli_json_real(&json, "operations_per_particle_step", r->flops_per_particle);
    cli_json_real(&json, "bytes_per_particle_step", r->bytes_moved_per_particle);
    cli_json_close_object(&json);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void print_rates(const firn_bench_row* rows, int count)
{
    static const cli_column columns[] = {
        {"bench", false},    {"particles", true},     {"yielding", true},
        {"ms/step", true},   {"G steps/s", true},     {"iter.", true},
        {"G iter./s", true}, {"device memory", true}, {"B/particle", true}};
    cli_table table;
    cli_table_init(&table, columns, 9);
    for (int i = 0; i < count; i++) {
        const firn_bench_row* r = &rows[i];
        char yielding[16], ms[32], steps[32], iterations[32], solved[32], bytes[32];
        snprintf(yielding, sizeof yielding, "%.0f %%", 100 * r->yielding);
        snprintf(ms, sizeof ms, "%.3f", 1e3 * r->seconds_per_step);
        snprintf(steps, sizeof steps, "%.3f", 1e-9 * r->steps_per_second);
        const bool solves = r->iterations > 0;
        snprintf(iterations, sizeof iterations, solves ? "%.1f" : "-", r->iterations);
        snprintf(solved, sizeof solved, solves ? "%.2f" : "-", 1e-9 * r->iterations_per_second);
        snprintf(bytes, sizeof bytes, "%.1f", r->device_bytes_per_particle);
        cli_table_add(&table,
                      (const char*[]){r->name, cli_format_count(r->particles).text, yielding, ms,
                                      steps, iterations, solved,
                                      cli_format_bytes((double)r->device_bytes).text, bytes});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

#define IDLE 2e-7  // [s] a stage that has nothing to do in this case: looking at the clock

// Milliseconds of each stage, a column per size.
static void print_stages(const firn_bench_row* const* rows, int count)
{
    cli_column columns[CLI_TABLE_COLUMNS] = {{rows[0]->name, false}};
    cli_text32 titles[CLI_TABLE_COLUMNS];
    for (int r = 0; r < count; r++) {
        titles[r] = cli_format_count(rows[r]->particles);
        columns[1 + r] = (cli_column){titles[r].text, true};
    }
    cli_table table;
    cli_table_init(&table, columns, 1 + count);
    char texts[CLI_TABLE_COLUMNS][32];
    const char* cells[CLI_TABLE_COLUMNS];
    for (int r = 0; r < count; r++) cells[1 + r] = texts[r];
    for (int s = 0; s <= rows[0]->stage_count; s++) {
        const bool whole = s == rows[0]->stage_count;
        bool any = whole;
        for (int r = 0; r < count; r++) {
            const double seconds = whole ? rows[r]->seconds_per_step : rows[r]->stage_seconds[s];
            any = any || seconds > IDLE;
            snprintf(texts[r], sizeof texts[r], "%.3f", 1e3 * seconds);
        }
        cells[0] = whole ? "whole step, wall clock" : rows[0]->stage_names[s];
        if (any) cli_table_add(&table, cells);
    }
    putchar('\n');
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

// One table for each name, its sizes side by side.
static void print_all_stages(const firn_bench_row* rows, int count)
{
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++) seen = seen || strcmp(rows[k].name, rows[i].name) == 0;
        if (seen) continue;
        const firn_bench_row* same[CLI_TABLE_COLUMNS] = {&rows[i]};
        int n = 1;
        for (int k = i + 1; k < count && n < CLI_TABLE_COLUMNS - 1; k++)
            if (strcmp(rows[k].name, rows[i].name) == 0) same[n++] = &rows[k];
        print_stages(same, n);
    }
}

int cli_bench_device(const firn_bench_def* def, bool json)
{
    firn_bench_row* rows = NULL;
    firn_error error = {0};
    int count = 0;
    const firn_result result = firn_bench(def, &rows, &count, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code(result);
    }
    const firn_device_info device = device_of(rows[0].backend);
    if (json) {
        for (int k = 0; k < count; k++) print_json(&rows[k], &device);
    } else {
        print_rates(rows, count);
        print_all_stages(rows, count);
        printf("\ndevice: %s, %s, %s\n", rows[0].backend, device.name,
               cli_format_bytes((double)device.memory_bytes).text);
        puts("G steps/s: 1e9 particle-steps per second; G iter./s: 1e9 particle-iterations of the "
             "linear solver\nper second of the whole step; yielding: particles that flow "
             "plastically in a step. Stages are in\nmilliseconds. The fastest of the repeats "
             "counts.");
    }
    firn_bench_free(rows);
    return CLI_EXIT_OK;
}
