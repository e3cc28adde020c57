// SPDX-License-Identifier: MIT
// firn bench --scale: the cost of a particle for few and many particles, and with more threads.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/bench/bench.h"
#include "cli/terminal/format.h"

// clang-format off
static const cli_figure figures[] = {
    {NULL, "snow", CLI_LINE_CHARS(row.name)},
    {"balls", NULL, CLI_LINE_INT(row.balls)},
    {"threads", "threads", CLI_LINE_INT(row.threads), "%.0f"},
    {"particles", "particles", CLI_LINE_INT64(row.particles), "count"},
    {"yielding_share", "yielding", CLI_LINE_REAL(row.yielding), "%.0f %%", 100},
    {"seconds_per_step", NULL, CLI_LINE_REAL(row.seconds_per_step)},
    {"particle_steps_per_second", "steps/s", CLI_LINE_REAL(row.steps_per_second), "rate"},
    {"core_nanoseconds_per_particle", "ns", CLI_LINE_REAL(core_ns), "%.1f"},
    {"relative_to_reference", "relative", CLI_LINE_REAL(relative), "%.2f"},
    {"speed_up", NULL, CLI_LINE_REAL(speed_up)},
    {NULL, "speed-up", CLI_LINE_REAL(parallel_speed_up), "%.2f", 1, CLI_EMPTY_DASH},
    {"nodes", "active nodes", CLI_LINE_INT64(row.nodes), "count"},
    {"nodes_per_particle", "nodes/p.", CLI_LINE_REAL(nodes_per_particle), "%.2f"},
    {"bytes_per_particle", "B/particle", CLI_LINE_REAL(row.bytes_per_particle), "%.1f"},
};
// clang-format on

static bool is_near(int64_t particles, int64_t wanted)
{
    return llabs(particles - wanted) < wanted / 10;  // seeding meets a requested number roughly
}

// The row of one ball of the reference size, or of the largest where sizes end below it.
static const firn_bench_row* find_reference(const firn_bench_row* rows, int count, int threads)
{
    const firn_bench_row* found = NULL;
    for (int k = 0; k < count; k++) {
        const firn_bench_row* r = &rows[k];
        if (r->threads != threads || r->balls != 1) continue;
        if (is_near(r->particles, FIRN_BENCH_SCALE_REFERENCE)) return r;
        if (found == NULL || r->particles > found->particles) found = r;
    }
    return found;
}

static const firn_bench_row* find_alone(const firn_bench_row* rows, int count,
                                        const firn_bench_row* like)
{
    for (int k = 0; k < count; k++)
        if (rows[k].threads == 1 && rows[k].balls == like->balls &&
            rows[k].particles == like->particles)
            return &rows[k];
    return NULL;
}

// Fits bytes = out[0] * particles + out[1] * nodes by least squares over the rows, each divided by
// its particles so that large ones do not dominate. NaN: the rows are too similar.
static void fit_memory(const firn_bench_row* rows, int count, double out[2])
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; k++) {
        const double x = (double)rows[k].nodes / (double)rows[k].particles;
        const double y = rows[k].bytes_per_particle;
        n++, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double spread = n * sxx - sx * sx;
    const bool apart = spread > 1e-6 * n * sxx;
    out[1] = apart ? (n * sxy - sx * sy) / spread : NAN;
    out[0] = apart ? (sy - out[1] * sx) / n : NAN;
}

static cli_bench_line line_of(const firn_bench_row* rows, int count, const firn_bench_row* r)
{
    const firn_bench_row* reference = find_reference(rows, count, r->threads);
    const firn_bench_row* alone = find_alone(rows, count, r);
    cli_bench_line line = cli_bench_line_of(r, NULL);
    line.relative = NAN;
    if (reference != NULL)
        line.relative = line.core_ns / cli_bench_line_of(reference, NULL).core_ns;
    line.speed_up = alone != NULL ? alone->seconds_per_step / r->seconds_per_step : NAN;
    line.parallel_speed_up = r->threads > 1 ? line.speed_up : 0;
    return line;
}

static void print_json(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    double memory[2];
    fit_memory(rows, count, memory);
    for (int k = 0; k < count; k++) {
        const cli_bench_line line = line_of(rows, count, &rows[k]);
        cli_json json = cli_figures_json(&CLI_FIGURES(figures), rows[k].name, &line);
        cli_json_open_object(&json, "memory_fit");
        cli_json_real(&json, "bytes_per_particle", memory[0]);
        cli_json_real(&json, "bytes_per_node", memory[1]);
        cli_json_close_object(&json);
        cli_bench_add_stages(&json, &rows[k], machine);
        cli_figures_json_end(&json);
    }
}

static void print(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    (void)machine;
    double memory[2];
    fit_memory(rows, count, memory);
    cli_table table = cli_figures_table(&CLI_FIGURES(figures));
    for (int k = 0; k < count; k++) {
        const cli_bench_line line = line_of(rows, count, &rows[k]);
        cli_figures_add(&table, &CLI_FIGURES(figures), &line);
    }
    cli_figures_table_end(&table);
    const firn_bench_row* reference = find_reference(rows, count, 1);
    puts("\nns: of one core, per particle and step. The fastest repeat counts.");
    if (reference != NULL)
        printf("relative: ns against one ball of %s particles on as many threads.\n",
               cli_format_count(reference->particles).text);
    if (isfinite(memory[0]))
        printf("memory: %.0f bytes per particle and %.0f per active node, fitted to these rows.\n",
               memory[0], memory[1]);
}

const cli_bench_kind cli_bench_scale = {firn_bench_scale, false, print_json, print};
