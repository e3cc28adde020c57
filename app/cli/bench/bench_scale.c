// SPDX-License-Identifier: MIT
// firn bench --scale: the cost of a particle among few and among many, and with more threads.
#include "cli/bench/bench_scale.h"

#include <math.h>
#include <stdlib.h>

#include "cli/bench/bench_json.h"
#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"

// What a row shows of itself and of its place among the others.
typedef struct figures {
    double ns;         // of one core, per particle and step
    double relative;   // to one ball of the reference size (or the largest) on as many threads
    double speed_up;   // against one thread; 1 for one thread
    double nodes;      // awake, per particle
    double memory[2];  // [bytes] per particle and per node, fitted; NaN: rows are too much alike
} figures;

static double core_ns(const firn_bench_row* r)
{
    return 1e9 * r->seconds_per_step * r->threads / (double)r->particles;
}

static bool is_near(int64_t particles, int64_t wanted)
{
    return llabs(particles - wanted) < wanted / 10;  // seeding meets a number roughly
}

// One ball of the reference size; where sizes end below it, the largest.
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

// Bytes of a simulation are a per particle and b per node: least squares over the rows, each
// divided by its particles so that the large ones do not decide alone.
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

static figures figures_of(const firn_bench_row* rows, int count, const firn_bench_row* r)
{
    const firn_bench_row* reference = find_reference(rows, count, r->threads);
    const firn_bench_row* alone = find_alone(rows, count, r);
    figures f = {.ns = core_ns(r),
                 .relative = reference != NULL ? core_ns(r) / core_ns(reference) : NAN,
                 .speed_up = alone != NULL ? alone->seconds_per_step / r->seconds_per_step : NAN,
                 .nodes = (double)r->nodes / (double)r->particles};
    fit_memory(rows, count, f.memory);
    return f;
}

static void print_json(const firn_bench_row* r, const figures* f)
{
    cli_json json = cli_bench_json_begin(r->name);
    cli_json_int(&json, "balls", r->balls);
    cli_json_int(&json, "threads", r->threads);
    cli_json_int(&json, "particles", r->particles);
    cli_json_real(&json, "yielding_share", r->yielding);
    cli_json_real(&json, "seconds_per_step", r->seconds_per_step);
    cli_json_real(&json, "particle_steps_per_second", r->steps_per_second);
    cli_json_real(&json, "core_nanoseconds_per_particle", f->ns);
    cli_json_real(&json, "relative_to_reference", f->relative);
    cli_json_real(&json, "speed_up", f->speed_up);
    cli_json_int(&json, "nodes", r->nodes);
    cli_json_real(&json, "nodes_per_particle", f->nodes);
    cli_json_real(&json, "bytes_per_particle", r->bytes_per_particle);
    cli_json_open_object(&json, "memory_fit");
    cli_json_real(&json, "bytes_per_particle", f->memory[0]);
    cli_json_real(&json, "bytes_per_node", f->memory[1]);
    cli_json_close_object(&json);
    cli_json_open_object(&json, "stage_seconds_per_step");
    for (int s = 0; s < r->stage_count; s++)
        cli_json_real(&json, r->stage_names[s], r->stage_seconds[s]);
    cli_json_close_object(&json);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void add_row(cli_table* table, const firn_bench_row* r, const figures* f)
{
    char threads[16], yielding[16], ns[32], relative[16], speed_up[16], nodes[16], bytes[32];
    snprintf(threads, sizeof threads, "%d", r->threads);
    snprintf(yielding, sizeof yielding, "%.0f %%", 100 * r->yielding);
    snprintf(ns, sizeof ns, "%.1f", f->ns);
    snprintf(relative, sizeof relative, "%.2f", f->relative);
    snprintf(speed_up, sizeof speed_up, r->threads > 1 ? "%.2f" : "-", f->speed_up);
    snprintf(nodes, sizeof nodes, "%.2f", f->nodes);
    snprintf(bytes, sizeof bytes, "%.1f", r->bytes_per_particle);
    cli_table_add(table,
                  (const char*[]){r->name, threads, cli_format_count(r->particles).text, yielding,
                                  cli_format_rate(r->steps_per_second).text, ns, relative, speed_up,
                                  cli_format_count(r->nodes).text, nodes, bytes});
}

static void print_table(const firn_bench_row* rows, int count)
{
    static const cli_column columns[] = {
        {"snow", false},       {"threads", true},  {"particles", true}, {"yielding", true},
        {"steps/s", true},     {"ns", true},       {"relative", true},  {"speed-up", true},
        {"nodes awake", true}, {"nodes/p.", true}, {"B/particle", true}};
    cli_table table;
    cli_table_init(&table, columns, 11);
    figures f = {0};
    for (int k = 0; k < count; k++) {
        f = figures_of(rows, count, &rows[k]);
        add_row(&table, &rows[k], &f);
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
    const firn_bench_row* reference = find_reference(rows, count, 1);
    puts("\nns: of one core, per particle and step; the fastest of the repeats counts.");
    if (reference != NULL)
        printf("relative: ns against one ball of %s particles on as many threads.\n",
               cli_format_count(reference->particles).text);
    if (isfinite(f.memory[0]))
        printf("memory: %.0f bytes per particle and %.0f per awake node, fitted to these rows.\n",
               f.memory[0], f.memory[1]);
}

int cli_bench_scale(const firn_bench_def* def, bool json)
{
    firn_bench_row* rows = NULL;
    firn_error error = {0};
    int count = 0;
    const firn_result result = firn_bench_scale(def, &rows, &count, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code(result);
    }
    for (int k = 0; json && k < count; k++) {
        const figures f = figures_of(rows, count, &rows[k]);
        print_json(&rows[k], &f);
    }
    if (!json) print_table(rows, count);
    firn_bench_free(rows);
    return CLI_EXIT_OK;
}
