// SPDX-License-Identifier: MIT
// firn render: path-traced pictures of a run's frames, and a film of them.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/frame_list.h"
#include "cli/commands/resume_command.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/option_values.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/quote.h"
#include "cli/terminal/render_progress.h"
#include "cli/terminal/terminal.h"
#include "firn/firn.h"

typedef struct render_options {
    const char* frames;
    const char* output;
    const char* size;
    const char* backend;
    const char* camera;
    int64_t samples, seed, threads;  // samples 0, seed -1: the scene's setting
    double noise, seconds;           // -1: the scene's setting
    bool no_denoise, no_exr, no_film, resume, overwrite, follow, quiet, json;
    cli_list set;
} render_options;

// clang-format off
#define AT(field) offsetof(render_options, field)
static const cli_option options[] = {
    {"frames", 0, CLI_OPTION_TEXT, AT(frames), "FRAMES", 0, 0,
     "A:B, A:B:S for every S-th frame, a single frame, or a comma-separated list (all)"},
    {"output", 'o', CLI_OPTION_TEXT, AT(output), "OUT", 0, 0,
     "output folder (DIR/pictures)"},
    {"samples", 0, CLI_OPTION_INT, AT(samples), "N", 1, 1e6,
     "maximum paths per pixel; four times as many halve the noise (the scene's setting)"},
    {"noise", 0, CLI_OPTION_REAL, AT(noise), "X", 0, 1,
     "stop sampling pixels whose noise is below this fraction of their radiance, such as 0.02; 0: "
     "never (the scene's setting)"},
    {"seconds", 0, CLI_OPTION_REAL, AT(seconds), "S", 0, 1e7,
     "time limit per picture in seconds; 0: none (the scene's setting)"},
    {"size", 0, CLI_OPTION_TEXT, AT(size), "WxH", 0, 0,
     "size in pixels, such as 1280x720; both even (the scene's setting)"},
    {"camera", 0, CLI_OPTION_TEXT, AT(camera), "CAMERA", 0, 0,
     "instead of the scene's camera: one of its `render.cameras` by name, a glTF file's as FILE or "
     "FILE:NAME, or '{eye: [2, 1, 2], look_at: [0, 0, 0], fov: 30}'"},
    {"seed", 0, CLI_OPTION_INT, AT(seed), "N", 0, 9007199254740992.0,
     "seed of the random numbers (the scene's setting)"},
    {"no-denoise", 0, CLI_OPTION_FLAG, AT(no_denoise), NULL, 0, 0,
     "do not denoise the .png; the .exr is never denoised"},
    {"no-exr", 0, CLI_OPTION_FLAG, AT(no_exr), NULL, 0, 0,
     "write .png files only"},
    {"no-film", 0, CLI_OPTION_FLAG, AT(no_film), NULL, 0, 0,
     "do not write an .mp4 film"},
    {"set", 0, CLI_OPTION_LIST, AT(set), "KEY=VALUE", 0, 0,
     "override a value of the scene's `render` block or of a collider's surface; may be repeated"},
    {"resume", 0, CLI_OPTION_FLAG, AT(resume), NULL, 0, 0,
     "keep existing pictures that were rendered with the same settings, render the others"},
    {"overwrite", 0, CLI_OPTION_FLAG, AT(overwrite), NULL, 0, 0,
     "re-render existing frames"},
    {"follow", 0, CLI_OPTION_FLAG, AT(follow), NULL, 0, 0,
     "wait for the frames of a run in progress"},
    {"backend", 0, CLI_OPTION_TEXT, AT(backend), "NAME", 0, 0,
     "cpu, or an NVIDIA GPU: cuda, cuda:N (cpu)"},
    {"threads", 0, CLI_OPTION_INT, AT(threads), "N", 0, 1024,
     "number of threads; 0 means all cores (0). Pictures do not depend on it, except under "
     "--seconds"},
    {"json", 0, CLI_OPTION_FLAG, AT(json), NULL, 0, 0,
     "print one JSON object per line on stdout: picture, log, end"},
    {"quiet", 'q', CLI_OPTION_FLAG, AT(quiet), NULL, 0, 0,
     "print only warnings and errors"},
};
// clang-format on

// ---- settings -----------------------------------------------------------------------------------

enum { EXTRA_SETTINGS = 7, SETTING_BYTES = 64 };

// --set and the options that are short for it; named options have precedence over --set.
typedef struct settings {
    char texts[EXTRA_SETTINGS][SETTING_BYTES];
    const char** items;  // owned
    size_t count;
} settings;

static void add(settings* s, int k, const char* key, const char* value)
{
    snprintf(s->texts[k], SETTING_BYTES, "render.%s=%s", key, value);
    s->items[s->count++] = s->texts[k];
}

static void add_number(settings* s, int k, const char* key, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    add(s, k, key, text);
}

static int add_size(settings* s, int k, const char* size)
{
    const char* cross = strchr(size, 'x');
    char width[16], height[16];
    int64_t w = 0, h = 0;
    const int length = cross ? (int)(cross - size) : 0;
    const bool fits = cross && length < (int)sizeof width && strlen(cross + 1) < sizeof height;
    if (fits) {
        snprintf(width, sizeof width, "%.*s", length, size);
        snprintf(height, sizeof height, "%s", cross + 1);
    }
    const bool good = fits && !cli_value_int(width, &w) && !cli_value_int(height, &h);
    if (!good || w < 1 || h < 1 || w % 2 != 0 || h % 2 != 0) {
        return cli_usage_error("render",
                               "option '--size': '%s' is not a size of even numbers such as "
                               "1280x720",
                               size);
    }
    add(s, k, "width", width);
    add(s, k + 1, "height", height);
    return CLI_EXIT_OK;
}

// In any case the caller frees s->items.
static int collect_settings(const render_options* o, settings* s)
{
    s->count = 0;
    s->items = calloc(o->set.count + EXTRA_SETTINGS, sizeof *s->items);
    if (!s->items) {
        cli_error("out of memory");
        return CLI_EXIT_MEMORY;
    }
    for (size_t i = 0; i < o->set.count; i++) {
        const char* text = o->set.items[i];
        const char* equals = strchr(text, '=');
        if (!equals || equals == text) {
            return cli_usage_error("render",
                                   "option '--set': '%s' is not KEY=VALUE, such as "
                                   "render.exposure=0.5",
                                   text);
        }
        s->items[s->count++] = text;
    }
    if (o->samples > 0) add_number(s, 0, "samples", (double)o->samples);
    if (o->noise >= 0) add_number(s, 1, "noise", o->noise);
    if (o->seconds >= 0) add_number(s, 2, "seconds", o->seconds);
    if (o->seed >= 0) add_number(s, 3, "seed", (double)o->seed);
    if (o->no_denoise) add(s, 4, "denoise", "false");
    return o->size ? add_size(s, 5, o->size) : CLI_EXIT_OK;
}

// ---- the end ------------------------------------------------------------------------------------

static void print_facts(const char* name, const char* value, const char* more)
{
    fprintf(stderr, "  %s%-9s%s %s%s\n", cli_style_on(stderr, CLI_DIM), name, cli_style_off(stderr),
            value, more);
}

static void print_fact(const char* name, const char* value)
{
    print_facts(name, value, "");
}

static void print_summary(const firn_render_summary* s, bool done)
{
    char text[200];
    fprintf(stderr, "%s%s%s: %" PRId64 " picture%s in %s", cli_style_on(stderr, CLI_BOLD),
            done ? "done" : "stopped", cli_style_off(stderr), s->pictures,
            s->pictures == 1 ? "" : "s", cli_format_seconds(s->seconds).text);
    if (s->skipped > 0) fprintf(stderr, ", %" PRId64 " already there", s->skipped);
    if (s->damaged > 0) fprintf(stderr, ", %" PRId64 " skipped", s->damaged);
    putc('\n', stderr);
    if (s->paths > 0 && s->trace_seconds > 0) {
        snprintf(text, sizeof text, "%s paths/s, %s scatterings/s, %.3g scatterings per path",
                 cli_format_rate((double)s->paths / s->trace_seconds).text,
                 cli_format_rate((double)s->events / s->trace_seconds).text,
                 (double)s->events / (double)s->paths);
        print_fact("speed", text);
    }
    const int64_t there = s->pictures + s->skipped;
    char more[64] = "";
    if (there > 1) snprintf(more, sizeof more, " and %" PRId64 " more", there - 1);
    if (*s->first) print_facts("pictures", s->first, more);
    if (*s->film) print_fact("film", s->film);
    if (!done || !*s->first) return;
    fputs("To view the result:\n", stderr);
    cli_hint_print("xdg-open", NULL, *s->film ? s->film : s->first);
}

static void print_end(const firn_render_summary* s, firn_result result, int code,
                      const firn_error* error)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "event", "end");
    cli_json_text(&json, "result", cli_result_name(result));
    cli_json_int(&json, "exit_code", code);
    if (result != FIRN_OK) cli_json_text(&json, "error", error->text);
    cli_json_int(&json, "pictures", s->pictures);
    cli_json_int(&json, "skipped", s->skipped);
    cli_json_int(&json, "damaged", s->damaged);
    cli_json_int(&json, "paths", s->paths);
    cli_json_int(&json, "events", s->events);
    cli_json_real(&json, "seconds", s->seconds);
    cli_json_real(&json, "trace_seconds", s->trace_seconds);
    cli_json_text(&json, "first", *s->first ? s->first : NULL);
    cli_json_text(&json, "film", *s->film ? s->film : NULL);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static int finish(const render_options* o, const firn_render_summary* s, firn_result result,
                  const firn_error* error, int argc, char** argv)
{
    // missing frames are a wrong input, not a wrong command line
    const int code = cli_exit_code_of_run(result);
    if (o->json) print_end(s, result, code, error);
    if (result != FIRN_OK && result != FIRN_INTERRUPTED) cli_error("%s", error->text);
    const bool began = s->pictures + s->skipped + s->damaged > 0;
    if (!o->json && !o->quiet && (result == FIRN_OK || began)) print_summary(s, result == FIRN_OK);
    if (result == FIRN_INTERRUPTED && !o->json) {
        fprintf(stderr, "Interrupted by %s; finished pictures are on disk. To continue:\n",
                cli_interrupt_name());
        cli_resume_command_print("render", argc, argv);
    }
    return code;
}

// ---- the command --------------------------------------------------------------------------------

static bool is_cancelled(void* user)
{
    (void)user;
    return cli_interrupt_came();
}

static int render(const render_options* o, const char* dir, const cli_frame_list* frames,
                  const settings* s, int argc, char** argv)
{
    cli_render_progress progress = cli_render_progress_begin(o->json, o->quiet);
    firn_render_def def = firn_default_render_def();
    def.input_dir = dir;
    def.output_dir = o->output;
    def.frame_begin = frames->begin;
    def.frame_end = frames->end;
    def.frame_step = frames->step;
    def.frames = frames->frames;
    def.frame_count = frames->count;
    def.overrides = s->items;
    def.override_count = s->count;
    def.threads = (int)o->threads;
    def.backend = o->backend;
    def.camera = o->camera;
    def.resume = o->resume;
    def.overwrite = o->overwrite;
    def.follow = o->follow;
    def.exr = !o->no_exr;
    def.film = !o->no_film;
    def.log = cli_progress_log;
    def.progress = cli_render_progress_step;
    def.cancelled = is_cancelled;
    def.user = &progress;
    firn_render_summary summary;
    firn_error error = {0};
    cli_interrupt_ask(CLI_INTERRUPT_SECONDS);
    const firn_result result = firn_render(&def, &summary, &error);
    cli_progress_clear(&progress.base);
    return finish(o, &summary, result, &error, argc, argv);
}

static int prepare(const render_options* o, const char* dir, int argc, char** argv)
{
    cli_frame_list frames = {.end = -1, .step = 1};
    if (o->resume && o->overwrite)
        return cli_usage_error("render", "--resume and --overwrite cannot be used together");
    settings s;
    int code = collect_settings(o, &s);
    if (code == CLI_EXIT_OK) code = cli_frame_list_option("render", o->frames, &frames);
    if (code == CLI_EXIT_OK) code = render(o, dir, &frames, &s, argc, argv);
    cli_frame_list_free(&frames);
    free(s.items);
    return code;
}

static const render_options defaults = {.backend = "cpu", .seed = -1, .noise = -1, .seconds = -1};

static int run(const void* values, const cli_arguments* arguments)
{
    return prepare(values, arguments->items[0], arguments->argc, arguments->argv);
}

const cli_command cli_render = {
    .name = "render",
    .arguments = "DIR [options]",
    .summary = "path-trace the frames of a run; write pictures and a film",
    .text =
        "DIR is the folder of a run. The volumetric path tracer takes seconds to minutes per "
        "picture. The scene's `render` block sets camera, lights, snow and samples (`firn help "
        "scene`). Each picture is a .png for display and an .exr with linear radiance, depth, "
        "normals, albedo and variance. Ctrl-C stops between two passes; --resume continues with "
        "the unfinished picture. --follow renders frames while the run is still in progress. "
        "--backend cuda traces on an NVIDIA GPU, with the same scene, paths and random numbers; "
        "the CPU prepares pictures, denoises and writes them.",
    .examples = "  firn render runs/snowball-drop\n"
                "  firn render runs/snowball-drop --frames 20 --samples 1024 --size 1280x720\n"
                "  firn render runs/snowball-drop --frames 0:96:4 --noise 0.02 --resume\n"
                "  firn render runs/snowball-drop -o dusk --set 'render.sun=[-1,0.1,0]'\n"
                "  firn render runs/snowball-drop --camera '{eye: [2, 1, 2], look_at: [0, 0, 0]}'\n"
                "  firn render runs/snowball-drop --camera shots.glb:Close -o close\n"
                "  firn render runs/snowball-drop --backend cuda --samples 1024\n",
    .defaults = &defaults,
    .values_size = sizeof(render_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = 1,
    .run = run,
};
