// SPDX-License-Identifier: MIT
// Stages of a step, roofline bounds and the machine, as tables and as JSON. Nanoseconds and cycles
// are those of one core whatever the number of threads (wall clock times threads over particles),
// so that columns compare.
#include <stdio.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/terminal/format.h"

#define IDLE 2e-7  // [s] what timing a stage takes that has nothing to do

// [s] per step, wall clock, if only arithmetic, or only memory traffic, took time
typedef struct bounds {
    double operations, bytes;
} bounds;

static bounds bounds_of(const firn_bench_row* r, const firn_machine* m)
{
    const double n = (double)r->particles;
    const double copy = r->threads > 1 ? m->copy_all : m->copy_one;
    return (bounds){.operations = r->flops_per_particle * n / (m->flops_core * r->threads),
                    .bytes = r->bytes_moved_per_particle * n / copy};
}

static double core_ns(const firn_bench_row* r, double seconds)
{
    return 1e9 * seconds * r->threads / (double)r->particles;
}

static double core_cycles(const firn_bench_row* r, const firn_machine* m, double seconds)
{
    return 1e-9 * core_ns(r, seconds) * m->clock_hz;
}

cli_bench_line cli_bench_line_of(const firn_bench_row* r, const firn_machine* m)
{
    return (cli_bench_line){
        .row = *r,
        .step_rate = 1 / r->seconds_per_step,
        .core_ns = core_ns(r, r->seconds_per_step),
        .core_cycles = m != NULL ? core_cycles(r, m, r->seconds_per_step) : 0,
        .nodes_per_particle = (double)r->nodes / (double)r->particles,
        .shear_iterations = r->left_out == NULL ? r->shear_iterations : 0,
    };
}

void cli_bench_print_rates(const cli_figures* figures, const firn_bench_row* rows, int count)
{
    cli_table table = cli_figures_table(figures);
    for (int i = 0; i < count; i++) {
        const cli_bench_line line = cli_bench_line_of(&rows[i], NULL);
        cli_figures_add(&table, figures, &line);
    }
    cli_figures_table_end(&table);
}

void cli_bench_add_machine(cli_json* json, const firn_machine* m)
{
    cli_json_open_object(json, "machine");
    cli_json_text(json, "simd", m->simd);
    cli_json_real(json, "clock_hz", m->clock_hz);
    cli_json_real(json, "flops_per_second_core", m->flops_core);
    cli_json_real(json, "copy_bytes_per_second_one_thread", m->copy_one);
    cli_json_real(json, "copy_bytes_per_second", m->copy_all);
    cli_json_int(json, "copy_threads", m->threads);
    cli_json_close_object(json);
}

void cli_bench_add_floor(cli_json* json, const firn_bench_row* r, const firn_machine* m)
{
    cli_json_open_object(json, "floor");
    cli_json_real(json, "operations_per_particle_step", r->flops_per_particle);
    cli_json_real(json, "bytes_per_particle_step", r->bytes_moved_per_particle);
    if (m != NULL) {
        const bounds b = bounds_of(r, m);
        cli_json_real(json, "operations_seconds_per_step", b.operations);
        cli_json_real(json, "bytes_seconds_per_step", b.bytes);
    }
    cli_json_close_object(json);
}

void cli_bench_add_stages(cli_json* json, const firn_bench_row* r, const firn_machine* m)
{
    static const char* const keys[] = {"stage_seconds_per_step",
                                       "stage_core_nanoseconds_per_particle",
                                       "stage_core_cycles_per_particle"};
    for (int k = 0; k < (m != NULL ? 3 : 1); k++) {
        cli_json_open_object(json, keys[k]);
        for (int s = 0; s < r->stage_count; s++) {
            const double seconds = r->stage_seconds[s];
            const double value = k == 0   ? seconds
                                 : k == 1 ? core_ns(r, seconds)
                                          : core_cycles(r, m, seconds);
            cli_json_real(json, r->stage_names[s], value);
        }
        cli_json_close_object(json);
    }
}

// Adds one line of a stage table: `seconds` of each row in ms, and with a machine in ns and cycles.
static void add_line(cli_table* table, const char* name, const firn_bench_row* const* rows,
                     const double* seconds, int count, const firn_machine* m)
{
    cli_text32 texts[CLI_TABLE_COLUMNS];
    const char* cells[CLI_TABLE_COLUMNS] = {name};
    int n = 0;
    for (int r = 0; r < count; r++) {
        snprintf(texts[n++].text, sizeof *texts, "%.3f", 1e3 * seconds[r]);
        if (m == NULL) continue;
        snprintf(texts[n++].text, sizeof *texts, "%.2f", core_ns(rows[r], seconds[r]));
        snprintf(texts[n++].text, sizeof *texts, "%.1f", core_cycles(rows[r], m, seconds[r]));
    }
    for (int k = 0; k < n; k++) cells[1 + k] = texts[k].text;
    cli_table_add(table, cells);
}

static void add_totals(cli_table* table, const firn_bench_row* const* rows, int count,
                       const firn_machine* m)
{
    double whole[CLI_TABLE_COLUMNS], operations[CLI_TABLE_COLUMNS], bytes[CLI_TABLE_COLUMNS];
    for (int r = 0; r < count; r++) {
        const bounds b = m != NULL ? bounds_of(rows[r], m) : (bounds){0};
        whole[r] = rows[r]->seconds_per_step;
        operations[r] = b.operations;
        bytes[r] = b.bytes;
    }
    add_line(table, m != NULL ? "whole step" : "whole step, wall clock", rows, whole, count, m);
    if (m == NULL || !(rows[0]->flops_per_particle > 0)) return;
    add_line(table, "floor: operations", rows, operations, count, m);
    add_line(table, "floor: bytes", rows, bytes, count, m);
}

// Stages of rows of one name side by side.
static void print_case(const firn_bench_row* const* rows, int count, const firn_machine* m)
{
    cli_column columns[CLI_TABLE_COLUMNS] = {{rows[0]->name, false}};
    cli_text32 titles[CLI_TABLE_COLUMNS];
    int n = 1;
    for (int r = 0; r < count; r++) {
        titles[r] = cli_format_count(rows[r]->particles);
        if (m != NULL)
            snprintf(titles[r].text, sizeof *titles, "%d thread%s: ms", rows[r]->threads,
                     rows[r]->threads > 1 ? "s" : "");
        columns[n++] = (cli_column){titles[r].text, true};
        if (m == NULL) continue;
        columns[n++] = (cli_column){"ns/particle", true};
        columns[n++] = (cli_column){"cycles/particle", true};
    }
    cli_table table;
    cli_table_init(&table, columns, n);
    for (int s = 0; s < rows[0]->stage_count; s++) {
        double seconds[CLI_TABLE_COLUMNS];
        bool any = false;
        for (int r = 0; r < count; r++) {
            seconds[r] = rows[r]->stage_seconds[s];
            any = any || seconds[r] > IDLE;
        }
        // volumes belong to the first step, solves to semi-implicit integration
        if (any) add_line(&table, rows[0]->stage_names[s], rows, seconds, count, m);
    }
    add_totals(&table, rows, count, m);
    putchar('\n');
    cli_figures_table_end(&table);
    if (m != NULL && rows[0]->flops_per_particle > 0)
        printf("floors: %.0f operations and %.0f bytes per particle and step, at least\n",
               rows[0]->flops_per_particle, rows[0]->bytes_moved_per_particle);
}

void cli_bench_print_stages(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    const int most = (CLI_TABLE_COLUMNS - 1) / (machine != NULL ? 3 : 1);
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++) seen = seen || strcmp(rows[k].name, rows[i].name) == 0;
        if (seen) continue;
        const firn_bench_row* same[CLI_TABLE_COLUMNS] = {&rows[i]};
        int n = 1;
        for (int k = i + 1; k < count && n < most; k++)
            if (strcmp(rows[k].name, rows[i].name) == 0) same[n++] = &rows[k];
        print_case(same, n, machine);
    }
}

void cli_bench_print_machine(const firn_machine* m)
{
    printf("\nmachine: %s, %.2f GHz, %.1f GFLOP/s per core (%s), copies %.1f GB/s on 1 thread",
           m->simd, 1e-9 * m->clock_hz, 1e-9 * m->flops_core, firn_version().real,
           1e-9 * m->copy_one);
    if (m->threads > 1) printf(", %.1f GB/s on %d", 1e-9 * m->copy_all, m->threads);
    putchar('\n');
}
