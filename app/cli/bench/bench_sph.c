// SPDX-License-Identifier: MIT
// The steps of solver sph as tables and as JSON.
#include "cli/bench/bench_sph.h"

#include "cli/bench/bench_json.h"
#include "cli/bench/bench_steps.h"
#include "cli/terminal/format.h"
#include "cli/terminal/table.h"

static void print_json(const firn_bench_row* r, const firn_machine* m)
{
    cli_json json = cli_bench_json_begin(r->name);
    cli_json_text(&json, "solver", "sph");
    cli_json_int(&json, "threads", r->threads);
    cli_json_int(&json, "particles", r->particles);
    cli_json_real(&json, "neighbours", r->neighbours);
    if (r->left_out != NULL) cli_json_text(&json, "left_out", r->left_out);
    cli_json_real(&json, "seconds_per_step", r->seconds_per_step);
    cli_json_real(&json, "particle_steps_per_second", r->steps_per_second);
    cli_json_real(&json, "particle_steps_per_second_core", r->steps_per_second_core);
    cli_json_real(&json, "pressure_iterations_per_step", r->iterations);
    if (r->left_out == NULL) cli_json_real(&json, "shear_iterations_per_step", r->shear_iterations);
    cli_json_real(&json, "bytes_per_particle", r->bytes_per_particle);
    cli_json_int(&json, "peak_bytes", (int64_t)r->peak_bytes);
    cli_bench_add_stages(&json, r, m);
    cli_bench_add_machine(&json, m);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

void cli_bench_print_sph_json(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    for (int i = 0; i < count; i++) print_json(&rows[i], machine);
}

static void print_rates(const firn_bench_row* rows, int count)
{
    static const cli_column columns[] = {
        {"bench", false},     {"threads", true},    {"particles", true}, {"neighbours", true},
        {"pressure", true},   {"shear", true},      {"steps/s", true},   {"per core", true},
        {"B/particle", true}, {"peak memory", true}};
    cli_table table;
    cli_table_init(&table, columns, 10);
    for (int i = 0; i < count; i++) {
        const firn_bench_row* r = &rows[i];
        char threads[16], neighbours[16], pressure[16], shear[16];
        snprintf(threads, sizeof threads, "%d", r->threads);
        snprintf(neighbours, sizeof neighbours, "%.1f", r->neighbours);
        snprintf(pressure, sizeof pressure, "%.1f", r->iterations);
        snprintf(shear, sizeof shear, "%.1f", r->shear_iterations);
        cli_table_add(&table,
                      (const char*[]){r->name, threads, cli_format_count(r->particles).text,
                                      neighbours, pressure, r->left_out != NULL ? "-" : shear,
                                      cli_format_rate(r->steps_per_second).text,
                                      cli_format_rate(r->steps_per_second_core).text,
                                      cli_format_real(r->bytes_per_particle).text,
                                      cli_format_bytes((double)r->peak_bytes).text});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

void cli_bench_print_sph(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    print_rates(rows, count);
    cli_bench_print_stages(rows, count, machine);
    cli_bench_print_machine(machine);
    puts("steps/s: particle-steps per second; pressure, shear: iterations of the two solves per "
         "step;\n"
         "ns and cycles are of one core. The fastest of the repeats counts. `pressure` leaves the "
         "time\n"
         "of 06_shear out of all its figures.");
}
