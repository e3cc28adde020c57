// SPDX-License-Identifier: MIT
// firn export: writes a run's frames in other formats.
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/frame_list.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/terminal/message.h"
#include "cli/terminal/progress.h"
#include "firn/firn.h"

typedef struct export_options {
    const char* to;
    const char* output;
    const char* frames;
    double voxel;
    int64_t samples, points;
    const char* mesh_format;
    bool z_up, quiet;
} export_options;

// clang-format off
static const cli_option options[] = {
    {"to", 0, CLI_OPTION_TEXT, offsetof(export_options, to), "FORMATS", 0, 0,
     "comma-separated list of formats: vdb, ply, vtp, heights, mesh, sdf, colliders, usd"},
    {"points", 0, CLI_OPTION_INT, offsetof(export_options, points), "N", 0, 10000000,
     "particles of a USD stage, per frame at most; 0: none (20000)"},
    {"output", 'o', CLI_OPTION_TEXT, offsetof(export_options, output), "DIR", 0, 0,
     "output folder (the run's folder)"},
    {"frames", 0, CLI_OPTION_TEXT, offsetof(export_options, frames), "FRAMES", 0, 0,
     "A:B, A:B:S for every S-th frame, a single frame, or a comma-separated list (all)"},
    {"z-up", 0, CLI_OPTION_FLAG, offsetof(export_options, z_up), NULL, 0, 0,
     "convert from Y up to Z up, as Blender expects"},
    {"voxel", 0, CLI_OPTION_REAL, offsetof(export_options, voxel), "METRES", 1e-6, 1e3,
     "voxel size of volumes (half the run's cell), of meshes (half a particle spacing)"},
    {"samples", 0, CLI_OPTION_INT, offsetof(export_options, samples), "N", 2, 16384,
     "samples of height fields along the longer side (512)"},
    {"mesh-format", 0, CLI_OPTION_TEXT, offsetof(export_options, mesh_format), "FORMAT", 0, 0,
     "format of meshes: ply, obj or glb (ply)"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(export_options, quiet), NULL, 0, 0,
     "print only warnings and errors"},
};
// clang-format on

#define FORMATS "vdb, ply, vtp, heights, mesh, sdf, colliders, usd"

static int set_formats(const char* list, firn_export_def* def)
{
    static const char* const names[] = {"vdb",  "ply", "vtp",       "heights",
                                        "mesh", "sdf", "colliders", "usd"};
    bool* const chosen[] = {&def->vdb,  &def->ply, &def->vtp,       &def->heights,
                            &def->mesh, &def->sdf, &def->colliders, &def->usd};
    enum { NAMES = sizeof names / sizeof *names };
    bool any = false;
    if (!list)
        return cli_usage_error("export",
                               "missing option: --to FORMATS, such as --to vdb,ply (" FORMATS ")");
    while (*list) {
        char word[32];
        const size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        int found = -1;
        for (int i = 0; i < NAMES; i++)
            if (strcmp(word, names[i]) == 0) found = i;
        if (found < 0) {
            const char* near = firn_suggest(word, names, NAMES);
            return cli_usage_error("export", "unknown format '%s' (%s%s%s)", word,
                                   near ? "did you mean '" : "available: ", near ? near : FORMATS,
                                   near ? "'?" : "");
        }
        *chosen[found] = any = true;
        list += length;
        if (*list) list++;
    }
    if (!any) return cli_usage_error("export", "'--to' names no format (available: " FORMATS ")");
    return CLI_EXIT_OK;
}

static int set_mesh_format(const char* name, firn_export_def* def)
{
    static const char* const names[] = {"ply", "obj", "glb"};
    if (name == NULL) return CLI_EXIT_OK;
    if (!def->mesh) return cli_usage_error("export", "option '--mesh-format' needs '--to mesh'");
    for (int k = 0; k < 3; k++) {
        if (strcmp(name, names[k]) != 0) continue;
        def->mesh_format = (firn_mesh_format)k;
        return CLI_EXIT_OK;
    }
    return cli_usage_error("export", "unknown mesh format '%s' (available: ply, obj, glb)", name);
}

static bool is_cancelled(void* user)
{
    (void)user;
    return cli_interrupt_came();
}

static int export_run(const export_options* o, const char* dir, const cli_frame_list* frames)
{
    cli_progress progress = cli_progress_begin(false, o->quiet);
    firn_error error = {0};
    firn_export_def def = firn_default_export_def();
    int code = set_formats(o->to, &def);
    if (code == CLI_EXIT_OK) code = set_mesh_format(o->mesh_format, &def);
    if (code != CLI_EXIT_OK) return code;
    def.input_dir = dir;
    def.output_dir = o->output;
    def.z_up = o->z_up;
    if (o->voxel > 0) def.voxel = o->voxel;
    if (o->samples > 0) def.samples = o->samples;
    def.points = o->points;
    def.frame_begin = frames->begin;
    def.frame_end = frames->end;
    def.frame_step = frames->step;
    def.frames = frames->frames;
    def.frame_count = frames->count;
    def.log = cli_progress_log;
    def.progress = cli_progress_step;
    def.cancelled = is_cancelled;
    def.user = &progress;
    firn_cache_info cache;
    firn_result result = firn_cache_read(dir, false, &cache, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code_of_run(result);
    }
    cli_interrupt_ask(CLI_INTERRUPT_SECONDS);
    result = firn_export(&def, &error);
    cli_progress_clear(&progress);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code_of_run(result);
    }
    if (!o->quiet) fprintf(stderr, "exported to '%s'\n", o->output ? o->output : dir);
    return CLI_EXIT_OK;
}

static int run(const void* values, const cli_arguments* arguments)
{
    const export_options* o = values;
    cli_frame_list frames;
    int code = cli_frame_list_option("export", o->frames, &frames);
    if (code == CLI_EXIT_OK) code = export_run(o, arguments->items[0], &frames);
    cli_frame_list_free(&frames);
    return code;
}

const cli_command cli_export = {
    .name = "export",
    .arguments = "DIR --to FORMATS [options]",
    .summary = "write a run's frames in other formats: OpenVDB, USD, glTF, PLY, VTK XML, heights",
    .text =
        "vdb: OpenVDB volumes with the grids `density` and `v`, for renderers. ply: points with "
        "all exported fields. vtp: points for ParaView, with a .pvd file of their times. heights: "
        "height fields of the snow surface for game engines, as 16-bit .png and as floats (.r32), "
        "with a .json file of their extent in metres. mesh: a smooth closed surface of the snow "
        "with normals, velocities, temperatures and materials of its vertices. sdf: the same "
        "surface as an OpenVDB level set, `surface`. colliders: all colliders with their motion "
        "in one binary glTF. usd: a .usda stage with volumes, points, colliders, camera and sun.",
    .examples = "  firn export runs/snowball-drop --to vdb,ply -o for-blender --z-up\n"
                "  firn export runs/snowball-drop --to vtp --frames 10:20:2\n"
                "  firn export runs/snowball-drop --to heights --samples 1024\n"
                "  firn export runs/snowball-drop --to mesh --mesh-format glb\n"
                "  firn export runs/snowball-drop --to usd,colliders -o shot\n",
    .values_size = sizeof(export_options),
    .defaults = &(const export_options){.points = 20000},
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = 1,
    .run = run,
};
