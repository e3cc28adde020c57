// SPDX-License-Identifier: MIT
// firn diff: compares two runs.
#define _GNU_SOURCE  // strsep
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/frame_list.h"
#include "cli/commands/measure_figures.h"
#include "cli/diff/run_diff.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"

typedef struct diff_options {
    const char *frames, *sheet;
    int64_t width, threads;
    bool json, quiet;
} diff_options;

enum { WIDTH = 320 };  // [pixels] of a picture of the sheet
static const diff_options defaults = {.width = WIDTH};

// clang-format off
static const cli_option options[] = {
    {"frames", 0, CLI_OPTION_TEXT, offsetof(diff_options, frames), "FRAMES", 0, 0,
     "A:B, A:B:S for every S-th frame, a single frame, or a comma-separated list (all)"},
    {"sheet", 0, CLI_OPTION_TEXT, offsetof(diff_options, sheet), "FILE", 0, 0,
     "write a PNG with the pictures of both runs side by side, and their differences times four"},
    {"width", 0, CLI_OPTION_INT, offsetof(diff_options, width), "PIXELS", 16, 4096,
     "width of a picture of the sheet (320)"},
    {"threads", 0, CLI_OPTION_INT, offsetof(diff_options, threads), "N", 1, 1024,
     "number of threads (all cores)"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(diff_options, json), NULL, 0, 0,
     "print one JSON object on stdout"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(diff_options, quiet), NULL, 0, 0,
     "print nothing; the exit code tells"},
};
// clang-format on

// ---- text ---------------------------------------------------------------------------------------

// Splits the first line of "key\ta\tb\n" in place; returns the rest.
static char* next_key(char* lines, const char* out_words[3])
{
    char* rest = lines;
    for (int k = 0; k < 3; k++) out_words[k] = strsep(&rest, k < 2 ? "\t" : "\n");
    return rest;
}

static void print_keys(cli_run_diff* d)
{
    if (d->key_count == 0) {
        puts("scene: the same");
        return;
    }
    printf("scene: %d key%s differ%s\n", d->key_count, d->key_count == 1 ? "" : "s",
           d->key_count == 1 ? "s" : "");
    cli_table table;
    cli_table_init(&table, (const cli_column[]){{"  key", false}, {"A", false}, {"B", false}}, 3);
    char* rest = d->keys;
    for (int k = 0; k < d->key_count; k++) {
        const char* words[3];
        rest = next_key(rest, words);
        char key[300];
        snprintf(key, sizeof key, "  %s", words[0]);
        cli_table_add(&table, (const char*[]){key, words[1], words[2]});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

static void print_pair(const char* name, double a, double b)
{
    if (isnan(a) || isnan(b)) return;
    printf("%s: %s and %s", name, cli_format_real(a).text, cli_format_real(b).text);
    if (a > 0 && b != a) printf(" (%+.1f %%)", 100 * (b - a) / a);
    putchar('\n');
}

static void print_hashes(const cli_run_diff* d)
{
    if (d->info[0].checkpoint < 0 || d->info[1].checkpoint < 0) return;
    printf(
        "newest state: %016" PRIx64 " (frame %" PRId64 ") and %016" PRIx64 " (frame %" PRId64 ")\n",
        d->info[0].state_hash, d->info[0].checkpoint, d->info[1].state_hash, d->info[1].checkpoint);
}

static cli_text32 change_of(double a, double b)
{
    cli_text32 out = {""};
    if (isfinite(a) && isfinite(b)) return a == b ? out : cli_format_real(b - a);
    return out;
}

// Largest change of a side of the bounding box.
static cli_text32 change_of_extent(const firn_frame_measure m[2])
{
    double largest = 0;
    for (int d = 0; d < 3; d++) {
        largest = fmax(largest, fabs(m[1].low[d] - m[0].low[d]));
        largest = fmax(largest, fabs(m[1].high[d] - m[0].high[d]));
    }
    return largest > 0 ? cli_format_real(largest) : (cli_text32){""};
}

static cli_text32 change_of_momentum(const firn_frame_measure m[2])
{
    double sum = 0;
    for (int d = 0; d < 3; d++)
        sum += (m[1].momentum[d] - m[0].momentum[d]) * (m[1].momentum[d] - m[0].momentum[d]);
    return sum > 0 ? cli_format_real(sqrt(sum)) : (cli_text32){""};
}

static cli_text32 real_or_none(double value)
{
    return isnan(value) ? (cli_text32){"?"} : cli_format_real(value);
}

static void add_frame(cli_table* table, const cli_frame_diff* f)
{
    const firn_frame_measure* m = f->figures;
    const cli_text32 frame = cli_format_count(f->frame);
    if (!f->in[0] || !f->in[1]) {
        cli_table_add(table, (const char*[]){frame.text, f->in[0] ? "only A" : "only B", "", "", "",
                                             "", "", "", ""});
        return;
    }
    const cli_text32 particles = f->particles[1] != f->particles[0]
                                     ? cli_format_count(f->particles[1] - f->particles[0])
                                     : (cli_text32){""};
    const bool figures = f->measured;
    const cli_text32 cells[] = {real_or_none(f->position),
                                real_or_none(f->velocity),
                                figures ? change_of(m[0].mass, m[1].mass) : (cli_text32){""},
                                figures ? change_of_momentum(m) : (cli_text32){""},
                                figures ? change_of_extent(m) : (cli_text32){""},
                                figures ? change_of((double)m[0].fragments, (double)m[1].fragments)
                                        : (cli_text32){""}};
    cli_table_add(table, (const char*[]){frame.text, f->field, particles.text, cells[0].text,
                                         cells[1].text, cells[2].text, cells[3].text, cells[4].text,
                                         cells[5].text});
}

static void print_frames(const cli_run_diff* d)
{
    if (d->common == d->frame_count && d->different == 0) {
        printf("frames: %d, all the same bit for bit\n", d->common);
        return;
    }
    printf("frames: %d in both, %d of them differ; %d only in one\n", d->common, d->different,
           d->frame_count - d->common);
    static const cli_column columns[] = {{"frame", true},
                                         {"differs", false},
                                         {"particles", true},
                                         {"position [m]", true},
                                         {"velocity [m/s]", true},
                                         {"mass [kg]", true},
                                         {"momentum [kg m/s]", true},
                                         {"extent [m]", true},
                                         {"fragments", true}};
    cli_table table;
    cli_table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < d->frame_count; i++)
        if (!d->frames[i].same) add_frame(&table, &d->frames[i]);
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
    if (d->no_figures[0] != '\0') printf("no figures: %s\n", d->no_figures);
}

static void print_text(cli_run_diff* d)
{
    printf("A: %s\nB: %s\n", d->dir[0], d->dir[1]);
    if (strcmp(d->info[0].solver, d->info[1].solver) != 0)
        printf("solver: %s and %s\n", d->info[0].solver, d->info[1].solver);
    print_keys(d);
    print_hashes(d);
    print_pair("steps", d->steps[0], d->steps[1]);
    print_pair("seconds of steps", d->seconds[0], d->seconds[1]);
    print_frames(d);
    puts(d->equal ? "the runs are equal" : "the runs differ");
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_run(cli_json* json, const cli_run_diff* d, int k)
{
    cli_json_open_object(json, k == 0 ? "a" : "b");
    cli_json_text(json, "path", d->dir[k]);
    cli_json_text(json, "solver", d->info[k].solver);
    cli_json_real(json, "steps", d->steps[k]);
    cli_json_real(json, "seconds", d->seconds[k]);
    if (d->info[k].checkpoint >= 0) {
        cli_json_int(json, "checkpoint", d->info[k].checkpoint);
        cli_json_hash(json, "state_hash", d->info[k].state_hash);
    } else {
        cli_json_null(json, "checkpoint");
        cli_json_null(json, "state_hash");
    }
    cli_json_close_object(json);
}

static void json_keys(cli_json* json, cli_run_diff* d)
{
    char* rest = d->keys;
    cli_json_open_array(json, "keys");
    for (int k = 0; k < d->key_count; k++) {
        const char* words[3];
        rest = next_key(rest, words);
        cli_json_open_object(json, NULL);
        cli_json_text(json, "key", words[0]);
        cli_json_text(json, "a", words[1]);
        cli_json_text(json, "b", words[2]);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

static void json_figures(cli_json* json, const firn_frame_measure* row, const char* name)
{
    cli_json_open_object(json, name);
    for (int i = 0; i < CLI_MEASURE_FIGURES; i++) {
        const cli_measure_figure* figure = &cli_measure_figures[i];
        if (figure->is_count)
            cli_json_int(json, figure->name, cli_measure_count(row, figure));
        else
            cli_json_real(json, figure->name, cli_measure_real(row, figure));
    }
    cli_json_close_object(json);
}

static void json_frame(cli_json* json, const cli_frame_diff* f)
{
    cli_json_open_object(json, NULL);
    cli_json_int(json, "frame", f->frame);
    cli_json_bool(json, "in_a", f->in[0]);
    cli_json_bool(json, "in_b", f->in[1]);
    if (f->in[0] && f->in[1]) {
        cli_json_bool(json, "same", f->same);
        cli_json_text(json, "differs", f->field[0] != '\0' ? f->field : NULL);
        cli_json_int(json, "particles_a", f->particles[0]);
        cli_json_int(json, "particles_b", f->particles[1]);
        cli_json_real(json, "position", f->position);
        cli_json_real(json, "velocity", f->velocity);
        if (f->measured) json_figures(json, &f->figures[0], "a");
        if (f->measured) json_figures(json, &f->figures[1], "b");
    }
    cli_json_close_object(json);
}

static void print_json(cli_run_diff* d)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_bool(&json, "equal", d->equal);
    json_run(&json, d, 0);
    json_run(&json, d, 1);
    json_keys(&json, d);
    cli_json_open_array(&json, "frames");
    for (int i = 0; i < d->frame_count; i++) json_frame(&json, &d->frames[i]);
    cli_json_close_array(&json);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

// ---- the command --------------------------------------------------------------------------------

static int diff(const diff_options* o, const char* a, const char* b, const cli_frame_list* frames)
{
    cli_run_diff d;
    firn_error error = {0};
    firn_result r = cli_run_diff_make(a, b, frames, (int)o->threads, &d, &error);
    if (r == FIRN_OK && o->sheet != NULL && d.common == 0) {
        cli_warning("no sheet: the runs have no frame in common");
    } else if (r == FIRN_OK && o->sheet != NULL) {
        const int width = (int)o->width, height = width * 9 / 16;
        r = cli_run_diff_sheet(&d, o->sheet, width, height, &error);
    }
    int code = r == FIRN_OK ? d.equal ? CLI_EXIT_OK : CLI_EXIT_DIFFERENT : cli_exit_code_of_run(r);
    if (r != FIRN_OK)
        cli_error("%s", error.text);
    else if (o->json)
        print_json(&d);
    else if (!o->quiet)
        print_text(&d);
    cli_run_diff_destroy(&d);
    return code;
}

static int run(const void* values, const cli_arguments* arguments)
{
    const diff_options* o = values;
    cli_frame_list frames;
    int code = cli_frame_list_option("diff", o->frames, &frames);
    if (code == CLI_EXIT_OK) code = diff(o, arguments->items[0], arguments->items[1], &frames);
    cli_frame_list_free(&frames);
    return code;
}

const cli_command cli_diff = {
    .name = "diff",
    .arguments = "A B [options]",
    .summary = "compare two runs: scenes, frames, figures, steps, pictures side by side",
    .text =
        "A and B are folders of runs. Exit code 0: the scenes have the same keys, and both runs "
        "have the same frames, bit for bit. Exit code 8: they differ. In the table, `differs` is "
        "the first field that does; position and velocity are the largest difference of particles "
        "of the same number (`?`: frames without `id`, or of another number of particles), the "
        "others are B minus A: mass, length of the difference of momenta, sides of the bounding "
        "box, fragments.",
    .examples = "  firn diff runs/snow runs/snow-paper\n"
                "  firn diff before after --frames 0:96:12 --sheet compared.png\n"
                "  firn diff before after -q && echo the same\n",
    .defaults = &defaults,
    .values_size = sizeof(diff_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 2,
    .most = 2,
    .run = run,
};
