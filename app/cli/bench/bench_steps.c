// SPDX-License-Identifier: MIT
// Steps as tables and as JSON. Nanoseconds and cycles are those of one core, whatever the number of
// threads: wall clock times threads over particles. So columns compare.
#include "cli/bench/bench_steps.h"

#include <string.h>

#include "cli/bench/bench_json.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/table.h"

// [s] per step, wall clock, if nothing but operations, or nothing but memory, took time
typedef struct floors {
    double operations, bytes;
} floors;

static floors floors_of(const firn_bench_row* r, const firn_machine* m)
{
    const double n = (double)r->particles;
    const double copy = r->threads > 1 ? m->copy_all : m->copy_one;
    return (floors){.operations = r->flops_per_particle * n / (m->flops_core * r->threads),
                    .bytes = r->bytes_moved_per_particle * n / copy};
}

// [ns] of one core per particle
static double core_ns(const firn_bench_row* r, double seconds)
{
    return 1e9 * seconds * r->threads / (double)r->particles;
}

static double core_cycles(const firn_bench_row* r, const firn_machine* m, double seconds)
{
    return 1e-9 * core_ns(r, seconds) * m->clock_hz;
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

static void add_floors(cli_json* json, const firn_bench_row* r, const firn_machine* m)
{
    const floors f = floors_of(r, m);
    cli_json_open_object(json, "floor");
    cli_json_real(json, "operations_per_particle_step", r->flops_per_particle);
    cli_json_real(json, "bytes_per_particle_step", r->bytes_moved_per_particle);
    cli_json_real(json, "operations_seconds_per_step", f.operations);
    cli_json_real(json, "bytes_seconds_per_step", f.bytes);
    cli_json_close_object(json);
}

void cli_bench_add_stages(cli_json* json, const firn_bench_row* r, const firn_machine* m)
{
    cli_json_open_object(json, "stage_seconds_per_step");
    for (int s = 0; s < r->stage_count; s++)
        cli_json_real(json, r->stage_names[s], r->stage_seconds[s]);
    cli_json_close_object(json);
    cli_json_open_object(json, "stage_core_nanoseconds_per_particle");
    for (int s = 0; s < r->stage_count; s++)
        cli_json_real(json, r->stage_names[s], core_ns(r, r->stage_seconds[s]));
    cli_json_close_object(json);
    cli_json_open_object(json, "stage_core_cycles_per_particle");
    for (int s = 0; s < r->stage_count; s++)
        cli_json_real(json, r->stage_names[s], core_cycles(r, m, r->stage_seconds[s]));
    cli_json_close_object(json);
}

static void print_json(const firn_bench_row* r, const firn_machine* m)
{
    cli_json json = cli_bench_json_begin(r->name);
    cli_json_int(&json, "threads", r->threads);
    cli_json_int(&json, "particles", r->particles);
    cli_json_int(&json, "nodes", r->nodes);
    cli_json_real(&json, "yielding_share", r->yielding);
    cli_json_real(&json, "seconds_per_step", r->seconds_per_step);
    cli_json_real(&json, "particle_steps_per_second", r->steps_per_second);
    cli_json_real(&json, "particle_steps_per_second_core", r->steps_per_second_core);
    cli_json_real(&json, "core_nanoseconds_per_particle", core_ns(r, r->seconds_per_step));
    cli_json_real(&json, "core_cycles_per_particle", core_cycles(r, m, r->seconds_per_step));
    cli_json_real(&json, "iterations_per_step", r->iterations);
    cli_json_real(&json, "particle_iterations_per_second_core", r->iterations_per_second_core);
    cli_json_real(&json, "bytes_per_particle", r->bytes_per_particle);
    cli_json_int(&json, "peak_bytes", (int64_t)r->peak_bytes);
    cli_bench_add_stages(&json, r, m);
    add_floors(&json, r, m);
    cli_bench_add_machine(&json, m);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

void cli_bench_print_steps_json(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    for (int i = 0; i < count; i++) print_json(&rows[i], machine);
}

static void print_rates(const firn_bench_row* rows, int count)
{
    static const cli_column columns[] = {
        {"bench", false},     {"threads", true},    {"particles", true},  {"yielding", true},
        {"steps/s", true},    {"per core", true},   {"iterations", true}, {"iter./s core", true},
        {"B/particle", true}, {"peak memory", true}};
    cli_table table;
    cli_table_init(&table, columns, 10);
    for (int i = 0; i < count; i++) {
        const firn_bench_row* r = &rows[i];
        char threads[16], yielding[16];
        snprintf(threads, sizeof threads, "%d", r->threads);
        snprintf(yielding, sizeof yielding, "%.0f %%", 100 * r->yielding);
        const bool solves = r->iterations > 0;
        cli_table_add(
            &table,
            (const char*[]){r->name, threads, cli_format_count(r->particles).text, yielding,
                            cli_format_rate(r->steps_per_second).text,
                            cli_format_rate(r->steps_per_second_core).text,
                            solves ? cli_format_real(r->iterations).text : "-",
                            solves ? cli_format_rate(r->iterations_per_second_core).text : "-",
                            cli_format_real(r->bytes_per_particle).text,
                            cli_format_bytes((double)r->peak_bytes).text});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

enum { FIGURES = 3 };  // of a row's stages: ms, ns, cycles
#define IDLE 2e-7      // [s] a stage that has nothing to do in this case: looking at the clock

// One line of a stage table: `seconds` of each row.
static void add_line(cli_table* table, const char* name, const firn_bench_row* rows,
                     const double* seconds, int count, const firn_machine* m)
{
    char texts[CLI_TABLE_COLUMNS][32];
    const char* cells[CLI_TABLE_COLUMNS] = {name};
    for (int r = 0; r < count; r++) {
        char(*t)[32] = &texts[FIGURES * r];
        snprintf(t[0], sizeof t[0], "%.3f", 1e3 * seconds[r]);
        snprintf(t[1], sizeof t[1], "%.2f", core_ns(&rows[r], seconds[r]));
        snprintf(t[2], sizeof t[2], "%.1f", core_cycles(&rows[r], m, seconds[r]));
        for (int k = 0; k < FIGURES; k++) cells[1 + FIGURES * r + k] = t[k];
    }
    cli_table_add(table, cells);
}

// Stages of rows of one name (one thread, all threads), three columns each; then the whole step and
// its floors, where they are known.
static void print_case(const firn_bench_row* rows, int count, const firn_machine* m)
{
    enum { MOST = (CLI_TABLE_COLUMNS - 1) / FIGURES };
    const int shown = count < MOST ? count : MOST;
    cli_column columns[CLI_TABLE_COLUMNS] = {{rows[0].name, false}};
    char titles[MOST][32];
    for (int r = 0; r < shown; r++) {
        snprintf(titles[r], sizeof titles[r], "%d thread%s: ms", rows[r].threads,
                 rows[r].threads > 1 ? "s" : "");
        columns[1 + FIGURES * r] = (cli_column){titles[r], true};
        columns[2 + FIGURES * r] = (cli_column){"ns/particle", true};
        columns[3 + FIGURES * r] = (cli_column){"cycles/particle", true};
    }
    cli_table table;
    cli_table_init(&table, columns, 1 + FIGURES * shown);
    double seconds[MOST], operations[MOST], bytes[MOST];
    for (int s = 0; s < rows[0].stage_count; s++) {
        bool any = false;
        for (int r = 0; r < shown; r++) {
            seconds[r] = rows[r].stage_seconds[s];
            any = any || seconds[r] > IDLE;
        }
        // the volumes are of the first step, a solve is semi-implicit's
        if (any) add_line(&table, rows[0].stage_names[s], rows, seconds, shown, m);
    }
    for (int r = 0; r < shown; r++) {
        const floors f = floors_of(&rows[r], m);
        seconds[r] = rows[r].seconds_per_step;
        operations[r] = f.operations;
        bytes[r] = f.bytes;
    }
    add_line(&table, "whole step", rows, seconds, shown, m);
    if (rows[0].flops_per_particle > 0) {
        add_line(&table, "floor: operations", rows, operations, shown, m);
        add_line(&table, "floor: bytes", rows, bytes, shown, m);
    }
    putchar('\n');
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

void cli_bench_print_machine(const firn_machine* m)
{
    printf("\nmachine: %s, %.2f GHz, %.1f GFLOP/s per core (%s), copies %.1f GB/s on 1 thread",
           m->simd, 1e-9 * m->clock_hz, 1e-9 * m->flops_core, firn_version().real,
           1e-9 * m->copy_one);
    if (m->threads > 1) printf(", %.1f GB/s on %d", 1e-9 * m->copy_all, m->threads);
    putchar('\n');
}

void cli_bench_print_stages(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    for (int first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && strcmp(rows[next].name, rows[first].name) == 0;)
            next++;
        print_case(&rows[first], next - first, machine);
        if (rows[first].flops_per_particle > 0)
            printf("floors: %.0f operations and %.0f bytes per particle and step, at least\n",
                   rows[first].flops_per_particle, rows[first].bytes_moved_per_particle);
    }
}

void cli_bench_print_steps(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    print_rates(rows, count);
    cli_bench_print_stages(rows, count, machine);
    cli_bench_print_machine(machine);
    puts("steps/s: particle-steps per second; iter./s core: particle-iterations of the linear "
         "solver\n"
         "per second and core; yielding: particles that flow plastically in a step; ns and cycles "
         "are\n"
         "of one core. The fastest of the repeats counts.");
}
