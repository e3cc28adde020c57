// SPDX-License-Identifier: MIT
// firn bench: how fast this machine is, on one core and on all of them.
#include <inttypes.h>

#include "cli/bench_pictures.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/format.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "firn/firn.h"

typedef struct bench_options {
    int64_t particles, steps, repeats, threads;
    const char* simd;
    bool json, quiet, pictures;
} bench_options;

// clang-format off
static const cli_option options[] = {
    {"particles", 0, CLI_OPTION_INT, offsetof(bench_options, particles), "N", 1000, 2e9,
     "about how many particles (300000)"},
    {"steps", 0, CLI_OPTION_INT, offsetof(bench_options, steps), "N", 1, 1e6,
     "steps that are measured in each repeat (10)"},
    {"repeats", 0, CLI_OPTION_INT, offsetof(bench_options, repeats), "N", 1, 1000,
     "repeats; the fastest counts (3)"},
    {"threads", 0, CLI_OPTION_INT, offsetof(bench_options, threads), "N", 0, 1024,
     "threads, measured besides one; 0 means all cores (0)"},
    {"simd", 0, CLI_OPTION_TEXT, offsetof(bench_options, simd), "LEVEL", 0, 0,
     "instruction set; `firn version` lists them (the best of this machine)"},
    {"pictures", 0, CLI_OPTION_FLAG, offsetof(bench_options, pictures), NULL, 0, 0,
     "measure the path tracer instead; --steps are then samples per pixel"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(bench_options, json), NULL, 0, 0,
     "one JSON object per row on stdout"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(bench_options, quiet), NULL, 0, 0,
     "only warnings and errors on stderr"},
};
// clang-format on

static void print_json(const firn_bench_row* r)
{
    const firn_version_info version = firn_version();
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "name", r->name);
    cli_json_text(&json, "version", version.text);
    cli_json_text(&json, "real", version.real);
    cli_json_int(&json, "threads", r->threads);
    cli_json_int(&json, "particles", r->particles);
    cli_json_real(&json, "particle_steps_per_second", r->steps_per_second);
    cli_json_real(&json, "particle_steps_per_second_core", r->steps_per_second_core);
    cli_json_real(&json, "iterations_per_step", r->iterations);
    cli_json_real(&json, "particle_iterations_per_second_core", r->iterations_per_second_core);
    cli_json_real(&json, "bytes_per_particle", r->bytes_per_particle);
    cli_json_int(&json, "peak_bytes", (int64_t)r->peak_bytes);
    cli_json_open_object(&json, "stage_seconds_per_step");
    for (int i = 0; i < r->stage_count; i++)
        cli_json_real(&json, r->stage_names[i], r->stage_seconds[i]);
    cli_json_close_object(&json);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void print_rates(const firn_bench_row* rows, int count)
{
    static const cli_column columns[] = {
        {"bench", false},       {"threads", true},    {"particles", true},
        {"steps/s", true},      {"per core", true},   {"iterations", true},
        {"iter./s core", true}, {"B/particle", true}, {"peak memory", true}};
    cli_table table;
    cli_table_init(&table, columns, 9);
    for (int i = 0; i < count; i++) {
        const firn_bench_row* r = &rows[i];
        char threads[16];
        snprintf(threads, sizeof threads, "%d", r->threads);
        const bool solves = r->iterations > 0;
        cli_table_add(
            &table,
            (const char*[]){r->name, threads, cli_format_count(r->particles).text,
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

// Stages of rows that share a list of stages, one column per row.
static void print_stages(const firn_bench_row* rows, int count)
{
    cli_column columns[CLI_TABLE_COLUMNS] = {{"ms per step", false}};
    char titles[CLI_TABLE_COLUMNS][64];
    int shown = count < CLI_TABLE_COLUMNS - 1 ? count : CLI_TABLE_COLUMNS - 1;
    for (int r = 0; r < shown; r++) {
        snprintf(titles[r], sizeof titles[r], "%s, %d", rows[r].name, rows[r].threads);
        columns[r + 1] = (cli_column){titles[r], true};
    }
    cli_table table;
    cli_table_init(&table, columns, shown + 1);
    for (int s = 0; s < rows[0].stage_count; s++) {
        char texts[CLI_TABLE_COLUMNS][32];
        const char* cells[CLI_TABLE_COLUMNS] = {rows[0].stage_names[s]};
        for (int r = 0; r < shown; r++) {
            snprintf(texts[r], sizeof texts[r], "%.3f", 1e3 * rows[r].stage_seconds[s]);
            cells[r + 1] = texts[r];
        }
        cli_table_add(&table, cells);
    }
    putchar('\n');
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

static int measure(const bench_options* o)
{
    cli_progress progress = cli_progress_begin(false, o->quiet || o->json);
    firn_bench_def def = firn_default_bench_def();
    firn_error error = {0};
    firn_bench_row* rows = NULL;
    int count = 0;
    if (o->particles) def.particles = o->particles;
    if (o->steps) def.steps = (int)o->steps;
    if (o->repeats) def.repeats = (int)o->repeats;
    def.threads = (int)o->threads;
    def.simd = o->simd;
    def.log = cli_progress_log;
    def.user = &progress;
    if (o->pictures) return cli_bench_pictures(&def, o->json);
    const firn_result result = firn_bench(&def, &rows, &count, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code(result);
    }
    if (o->json) {
        for (int i = 0; i < count; i++) print_json(&rows[i]);
    } else if (count > 0) {
        print_rates(rows, count);
        print_stages(rows, count);
        puts(
            "\nsteps/s: particle-steps per second; iter./s core: particle-iterations of the linear "
            "solver\nper second and core; the fastest of the repeats counts.");
    }
    firn_bench_free(rows);
    return CLI_EXIT_OK;
}

static int run(int argc, char** argv)
{
    bench_options o = {0};
    cli_arguments arguments;
    int code = cli_options_parse(&cli_bench, argc, argv, &o, &arguments);
    if (code == CLI_EXIT_OK && arguments.help)
        cli_command_print_help(&cli_bench, stdout);
    else if (code == CLI_EXIT_OK)
        code = measure(&o);
    cli_arguments_free(&cli_bench, &o, &arguments);
    return code;
}

const cli_command cli_bench = {
    .name = "bench",
    .arguments = "[options]",
    .summary = "measure this machine: particle-steps per second, time per stage, memory",
    .text =
        "Runs the same snow with explicit and with semi-implicit integration, on one thread and on "
        "all, after a warm-up. With --pictures a path-traced snowball: paths and scatterings of "
        "light "
        "per second. bench/RESULTS.md keeps figures of known machines.",
    .examples = "  firn bench\n"
                "  firn bench --particles 100000 --threads 4 --json\n"
                "  firn bench --pictures --steps 16\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
