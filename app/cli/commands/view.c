// SPDX-License-Identifier: MIT
// firn view: a window that shows a running simulation or the frames of a run; also pictures and
// films of it off screen.
#include <string.h>
#include <sys/stat.h>

#include "cli/commands/commands.h"
#include "cli/commands/scene_options.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/terminal/message.h"
#ifdef FIRN_HAVE_VIEWER
#include "viewer/view.h"
#endif

// [pixels] windows of this size start with panels.
#define PANELS_WIDTH 960
#define PANELS_HEIGHT 540

typedef struct view_options {
    cli_scene_options scene;
    const char* backend;
    const char* size;
    const char* style;
    const char* colour_by;
    const char* out;
    const char* record;
    const char* script;
    int64_t threads, frame;
    double speed, time, seconds;
    bool paused, overlay, panels, headless;
} view_options;

// clang-format off
#define AT(field) offsetof(view_options, field)
static const cli_option options[] = {
    CLI_SCENE_OPTIONS(view_options),
    {"backend", 0, CLI_OPTION_TEXT, AT(backend), "NAME", 0, 0,
     "where to compute: cpu, or a GPU: cuda, cuda:N (cpu); `firn version` lists the devices"},
    {"threads", 0, CLI_OPTION_INT, AT(threads), "N", 0, 1024,
     "number of threads; 0 means all cores (0)"},
    {"size", 0, CLI_OPTION_TEXT, AT(size), "WxH", 0, 0,
     "size of the window or picture in pixels (1280x720)"},
    {"style", 0, CLI_OPTION_TEXT, AT(style), "NAME", 0, 0,
     "draw snow as a smooth `surface` or as `spheres` (surface; spheres where that is too slow for "
     "a window); key S"},
    {"colour-by", 0, CLI_OPTION_TEXT, AT(colour_by), "FIELD", 0, 0,
     "colour by density, temperature, broken, plastic_volume, velocity or another field; none: "
     "white (the scene's setting); keys 0 to 5"},
    {"speed", 0, CLI_OPTION_REAL, AT(speed), "X", 0.015625, 64,
     "simulated seconds per second, if the machine is fast enough (1); keys [ and ]"},
    {"paused", 0, CLI_OPTION_FLAG, AT(paused), NULL, 0, 0,
     "start paused; space continues"},
    {"out", 0, CLI_OPTION_TEXT, AT(out), "FILE.png", 0, 0,
     "write one picture without opening a window"},
    {"time", 0, CLI_OPTION_REAL, AT(time), "T", 0, 1e6,
     "with --out: time of the picture in seconds (0)"},
    {"frame", 0, CLI_OPTION_INT, AT(frame), "N", 0, 1e9,
     "with --out: frame of the picture"},
    {"record", 0, CLI_OPTION_TEXT, AT(record), "FILE.mp4", 0, 0,
     "write a film without opening a window"},
    {"seconds", 0, CLI_OPTION_REAL, AT(seconds), "S", 0, 1e6,
     "length of the film in seconds (the whole scene or run)"},
    {"overlay", 0, CLI_OPTION_FLAG, AT(overlay), NULL, 0, 0,
     "with --out and --record: also draw the statistics that the window shows"},
    {"panels", 0, CLI_OPTION_FLAG, AT(panels), NULL, 0, 0,
     "show the panels, also in small windows and with --out, --record and --script; key G"},
    {"script", 0, CLI_OPTION_TEXT, AT(script), "FILE", 0, 0,
     "read keyboard and mouse input from a file; docs/manual.md describes its format"},
    {"headless", 0, CLI_OPTION_FLAG, AT(headless), NULL, 0, 0,
     "with --script: do not open a window"},
};
// clang-format on

#ifdef FIRN_HAVE_VIEWER

static int read_size(const char* text, int* out_width, int* out_height)
{
    int width = 0, height = 0, used = 0;
    const bool good = sscanf(text, "%5dx%5d%n", &width, &height, &used) == 2 && !text[used];
    if (!good || width < 16 || height < 16 || width > 16384 || height > 16384)
        return cli_usage_error("view",
                               "option '--size': '%s' is not a size such as 1280x720, from 16x16 "
                               "to 16384x16384",
                               text);
    *out_width = width;
    *out_height = height;
    return CLI_EXIT_OK;
}

static int read_style(const char* text, view_style* out_style)
{
    static const char* const names[] = {"spheres", "surface"};
    for (int k = 0; k < 2; k++) {
        if (strcmp(text, names[k]) != 0) continue;
        *out_style = k == 0 ? VIEW_SPHERES : VIEW_SURFACE;
        return CLI_EXIT_OK;
    }
    const char* near = firn_suggest(text, names, 2);
    if (near)
        return cli_usage_error("view", "option '--style': unknown style '%s' (did you mean '%s'?)",
                               text, near);
    return cli_usage_error("view", "option '--style': '%s' is not spheres or surface", text);
}

static bool has_extension(const char* path, const char* extension)
{
    const size_t n = strlen(path), m = strlen(extension);
    return n > m && strcmp(path + n - m, extension) == 0;
}

// Checks options that require or exclude each other.
static int check_options(const view_options* o)
{
    if (o->out && o->record)
        return cli_usage_error("view", "--out and --record cannot be used together");
    if (o->out && o->script)
        return cli_usage_error(
            "view", "--out and --script cannot be used together: use `screenshot FILE.png` in the "
                    "script");
    if (o->out && !has_extension(o->out, ".png"))
        return cli_usage_error("view", "option '--out': '%s' does not end in .png", o->out);
    if (o->record && !has_extension(o->record, ".mp4"))
        return cli_usage_error("view", "option '--record': '%s' does not end in .mp4", o->record);
    if (!o->out && (o->time >= 0 || o->frame >= 0))
        return cli_usage_error("view", "--time and --frame require --out");
    if (o->time >= 0 && o->frame >= 0)
        return cli_usage_error("view", "--time and --frame cannot be used together");
    if (!o->record && o->seconds >= 0)
        return cli_usage_error("view", "--seconds requires --record");
    if (o->headless && !o->script)
        return cli_usage_error("view",
                               "--headless requires --script; --out and --record never open a "
                               "window");
    return CLI_EXIT_OK;
}

static int fill_def(const view_options* o, view_def* def)
{
    *def = (view_def){.backend = o->backend,
                      .threads = (int)o->threads,
                      .colour_by = o->colour_by,
                      .speed = o->speed,
                      .paused = o->paused,
                      .headless = o->headless || o->out || o->record,
                      .out = o->out,
                      .time = o->time,
                      .frame = o->frame,
                      .record = o->record,
                      .seconds = o->seconds,
                      .script = o->script,
                      .cancelled = cli_interrupt_came};
    def->overlay = o->overlay || !(o->out || o->record);
    if (o->colour_by && strcmp(o->colour_by, "none") == 0) def->colour_by = "";
    int code = check_options(o);
    if (code == CLI_EXIT_OK) code = read_size(o->size, &def->width, &def->height);
    const bool roomy = def->width >= PANELS_WIDTH && def->height >= PANELS_HEIGHT;
    def->panels = o->panels || (roomy && !def->headless);
    def->style = VIEW_SURFACE;
    def->style_may_change = !o->style;
    if (code == CLI_EXIT_OK && o->style) code = read_style(o->style, &def->style);
    return code;
}

// True if the folder contains a run, even one that cannot be read. It may also be a folder that
// only has the name of a scene.
static bool is_run(const char* path)
{
    struct stat status;
    firn_cache_info info;
    firn_error error = {0};
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) return false;
    return firn_cache_read(path, false, &info, &error) != FIRN_REFUSED_NAME;
}

static int show(view_def* def)
{
    firn_error error = {0};
    cli_interrupt_ask(def->record ? 0 : CLI_INTERRUPT_SECONDS);  // a film is finished
    const firn_result result = view_run(def, &error);
    if (result != FIRN_OK && result != FIRN_INTERRUPTED) cli_error("%s", error.text);
    // a missing frame or run is a wrong input, not a wrong command line
    return cli_exit_code_of_run(result);
}

static int view_scene(const view_options* o, const char* name, view_def* def)
{
    firn_scene* scene = NULL;
    int code = cli_scene_load("view", name, &o->scene, &scene);
    if (scene) cli_diagnostics_print(stderr, firn_scene_messages(scene));
    if (code == CLI_EXIT_OK) {
        firn_scene_info info;
        const firn_result checked = firn_scene_check(scene, def->threads, &info);
        cli_diagnostics_print(stderr, firn_scene_messages(scene));
        if (checked != FIRN_OK) code = cli_exit_code_of_input(checked);
    }
    const firn_load_def load = cli_scene_load_def(&o->scene);
    def->scene = scene;
    def->scene_name = name;
    def->load = &load;
    if (code == CLI_EXIT_OK) code = show(def);
    firn_scene_destroy(scene);
    return code;
}

static int view_run_folder(const view_options* o, const char* dir, view_def* def)
{
    if (o->scene.variant || o->scene.solver || o->scene.set.count > 0)
        return cli_usage_error("view",
                               "'%s' is a finished run: --variant, --solver and --set apply to "
                               "scenes only",
                               dir);
    def->dir = dir;
    return show(def);
}

static int view(const view_options* o, const char* what)
{
    view_def def;
    const int code = fill_def(o, &def);
    if (code != CLI_EXIT_OK) return code;
    return is_run(what) ? view_run_folder(o, what, &def) : view_scene(o, what, &def);
}

#else

static int view(const view_options* o, const char* what)
{
    (void)o, (void)what;
    cli_error("this firn was built without the viewer: install libglfw3-dev, libegl-dev, "
              "libopengl-dev and libgl-dev, and rebuild with -DFIRN_VIEWER=ON");
    return CLI_EXIT_BACKEND;
}

#endif

static const view_options defaults = {
    .backend = "cpu", .size = "1280x720", .speed = 1, .time = -1, .frame = -1, .seconds = -1};

static int run(const void* values, const cli_arguments* arguments)
{
    return view(values, arguments->items[0]);
}

const cli_command cli_view = {
    .name = "view",
    .arguments = "SCENE|DIR [options]",
    .summary = "view a run, or simulate a scene interactively, in a window",
    .text =
        "SCENE is simulated live: drag with the left mouse button to orbit the camera, press B for "
        "a ball or P for a plow and drag it through the snow; T lists all keys. DIR is the folder "
        "of a run: its frames are played back, and the time line at the bottom can be dragged. "
        "--out and --record produce the same images without a window, also on machines without a "
        "screen.",
    .examples = "  firn view snowball-drop\n"
                "  firn view snowball-drop --solver sph --colour-by velocity\n"
                "  firn view runs/snowball-drop\n"
                "  firn view runs/snowball-drop --out frame20.png --frame 20 --style spheres\n"
                "  firn view snowplow --record plow.mp4 --seconds 4 --size 640x360\n",
    .defaults = &defaults,
    .values_size = sizeof(view_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = 1,
    .run = run,
};
