// SPDX-License-Identifier: MIT
// firn measure: statistics of a run's frames as a table, CSV or JSON.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/frame_list.h"
#include "cli/commands/measure_figures.h"
#include "cli/exit_codes.h"
#include "cli/option_values.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"
#include "firn/firn.h"

typedef struct measure_options {
    const char* frames;
    double voxel, threshold;
    int64_t smallest, threads;
    const char* region;
    bool corners, json, csv, quiet;
} measure_options;

// clang-format off
static const cli_option options[] = {
    {"frames", 0, CLI_OPTION_TEXT, offsetof(measure_options, frames), "FRAMES", 0, 0,
     "A:B, A:B:S for every S-th frame, a single frame, or a comma-separated list (all)"},
    {"voxel", 0, CLI_OPTION_REAL, offsetof(measure_options, voxel), "METRES", 1e-6, 1e3,
     "voxel size of the density volume used to find fragments (the run's cell)"},
    {"threshold", 0, CLI_OPTION_REAL, offsetof(measure_options, threshold), "RHO", 1e-6, 1e6,
     "minimum density [kg/m^3] of a voxel that belongs to a fragment (100)"},
    {"smallest", 0, CLI_OPTION_INT, offsetof(measure_options, smallest), "N", 1, 1e9,
     "count fragments of fewer voxels as dust (8)"},
    {"corners", 0, CLI_OPTION_FLAG, offsetof(measure_options, corners), NULL, 0, 0,
     "connect voxels that share an edge or a corner, not only those that share a face"},
    {"region", 0, CLI_OPTION_TEXT, offsetof(measure_options, region), "BOX", 0, 0,
     "only particles inside a box: x0,y0,z0,x1,y1,z1 in metres"},
    {"threads", 0, CLI_OPTION_INT, offsetof(measure_options, threads), "N", 1, 1024,
     "number of threads (all cores); results do not depend on it"},
    {"csv", 0, CLI_OPTION_FLAG, offsetof(measure_options, csv), NULL, 0, 0,
     "print all values as comma-separated values with a header line"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(measure_options, json), NULL, 0, 0,
     "print all values as one JSON object per frame"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(measure_options, quiet), NULL, 0, 0,
     "do not show progress"},
};
// clang-format on

static int set_region(const char* text, firn_measure_def* def)
{
    double value[6];
    const char* at = text;
    for (int i = 0; i < 6; i++) {
        char word[64];
        const size_t length = strcspn(at, ",");
        const bool last = at[length] == '\0';
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length >= sizeof word || last != (i == 5) || cli_value_real(word, &value[i]) != NULL)
            return cli_usage_error(
                "measure", "'--region' must be six numbers x0,y0,z0,x1,y1,z1, not '%s'", text);
        at += length + !last;
    }
    for (int d = 0; d < 3; d++) {
        if (value[d] > value[3 + d])
            return cli_usage_error("measure",
                                   "'--region' goes from %g to %g along %c: the second corner must "
                                   "be the higher one",
                                   value[d], value[3 + d], "xyz"[d]);
        def->region_low[d] = value[d];
        def->region_high[d] = value[3 + d];
    }
    def->use_region = true;
    return CLI_EXIT_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static void print_csv(const firn_frame_measure* rows, int count)
{
    for (int i = 0; i < CLI_MEASURE_FIGURES; i++)
        printf("%s%s", i > 0 ? "," : "", cli_measure_figures[i].name);
    for (int c = 0; count > 0 && c < rows->colliders; c++)
        for (int i = 0; i < CLI_MEASURE_LOADS; i++) printf(",%s_%d", cli_measure_loads[i], c);
    putchar('\n');
    for (int r = 0; r < count; r++) {
        for (int i = 0; i < CLI_MEASURE_FIGURES; i++) {
            if (i > 0) putchar(',');
            const double value = cli_measure_figures[i].is_count
                                     ? 0
                                     : cli_measure_real(&rows[r], &cli_measure_figures[i]);
            if (cli_measure_figures[i].is_count)
                printf("%" PRId64, cli_measure_count(&rows[r], &cli_measure_figures[i]));
            else if (isfinite(value))  // else leave the field empty
                printf("%.9g", value);
        }
        for (int c = 0; c < rows[r].colliders; c++)
            for (int i = 0; i < CLI_MEASURE_LOADS; i++) {
                const double value = cli_measure_load(&rows[r], c, i);
                printf(isfinite(value) ? ",%.9g" : ",", value);
            }
        putchar('\n');
    }
}

static void print_json(const firn_frame_measure* rows, int count)
{
    for (int r = 0; r < count; r++) {
        cli_json json = cli_json_begin(stdout);
        cli_json_open_object(&json, NULL);
        for (int i = 0; i < CLI_MEASURE_FIGURES; i++) {
            if (cli_measure_figures[i].is_count)
                cli_json_int(&json, cli_measure_figures[i].name,
                             cli_measure_count(&rows[r], &cli_measure_figures[i]));
            else
                cli_json_real(&json, cli_measure_figures[i].name,
                              cli_measure_real(&rows[r], &cli_measure_figures[i]));
        }
        for (int c = 0; c < rows[r].colliders; c++)
            for (int i = 0; i < CLI_MEASURE_LOADS; i++) {
                char name[32];
                snprintf(name, sizeof name, "%s_%d", cli_measure_loads[i], c);
                cli_json_real(&json, name, cli_measure_load(&rows[r], c, i));
            }
        cli_json_close_object(&json);
        cli_json_end(&json);
    }
}

// The most important values.
static void print_table(const firn_frame_measure* rows, int count)
{
    static const cli_column columns[] = {
        {"frame", true},        {"time [s]", true},    {"particles", true},
        {"mass [kg]", true},    {"center x", true},    {"y", true},
        {"z [m]", true},        {"kinetic [J]", true}, {"fragments", true},
        {"largest [kg]", true}, {"mean [kg]", true},   {"dust", true},
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    cli_table table;
    cli_table_init(&table, columns, COLUMNS);
    for (int r = 0; r < count; r++) {
        const firn_frame_measure* m = &rows[r];
        const cli_text32 cells[COLUMNS] = {
            cli_format_count(m->frame),     cli_format_real(m->time),
            cli_format_count(m->particles), cli_format_real(m->mass),
            cli_format_real(m->center[0]),  cli_format_real(m->center[1]),
            cli_format_real(m->center[2]),  cli_format_real(m->kinetic),
            cli_format_count(m->fragments), cli_format_real(m->largest),
            cli_format_real(m->mean_mass),  cli_format_real(m->dust)};
        const char* texts[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) texts[i] = cells[i].text;
        cli_table_add(&table, texts);
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

// ---- the command --------------------------------------------------------------------------------

static int fill_def(const measure_options* o, const char* dir, const cli_frame_list* frames,
                    firn_measure_def* def)
{
    def->input_dir = dir;
    def->frame_begin = frames->begin;
    def->frame_end = frames->end;
    def->frame_step = frames->step;
    def->frames = frames->frames;
    def->frame_count = frames->count;
    if (o->voxel > 0) def->voxel = o->voxel;
    if (o->threshold > 0) def->threshold = o->threshold;
    if (o->smallest > 0) def->smallest = o->smallest;
    def->by_corners = o->corners;
    def->threads = (int)o->threads;
    if (o->csv && o->json) return cli_usage_error("measure", "choose one of --csv and --json");
    return o->region != NULL ? set_region(o->region, def) : CLI_EXIT_OK;
}

static int measure(const measure_options* o, const char* dir, const cli_frame_list* frames)
{
    firn_measure_def def = firn_default_measure_def();
    const int code = fill_def(o, dir, frames, &def);
    if (code != CLI_EXIT_OK) return code;
    cli_progress progress = cli_progress_begin(false, o->quiet || !cli_terminal_is(stderr));
    def.progress = cli_progress_step;
    def.user = &progress;
    firn_frame_measure* rows = NULL;
    int count = 0;
    firn_error error = {0};
    const firn_result result = firn_cache_measure(&def, &rows, &count, &error);
    cli_progress_clear(&progress);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code_of_run(result);
    }
    if (o->json)
        print_json(rows, count);
    else if (o->csv)
        print_csv(rows, count);
    else
        print_table(rows, count);
    firn_measure_free(rows);
    return CLI_EXIT_OK;
}

static int run(const void* values, const cli_arguments* arguments)
{
    const measure_options* o = values;
    cli_frame_list frames;
    int code = cli_frame_list_option("measure", o->frames, &frames);
    if (code == CLI_EXIT_OK) code = measure(o, arguments->items[0], &frames);
    cli_frame_list_free(&frames);
    return code;
}

const cli_command cli_measure = {
    .name = "measure",
    .arguments = "DIR [options]",
    .summary = "print statistics of a run's frames: mass, momentum, extent, fragments",
    .text =
        "A fragment is a connected component of the voxels whose density is above a threshold. "
        "Its mass is the mass of the particles in it. `mean` is the mass-weighted mean mass of "
        "the fragments: the expected mass of the fragment that contains a random particle. "
        "`dust` is the fraction of the mass outside fragments of at least --smallest voxels. "
        "--csv and --json also contain the bounding box of the particles, the momentum, and the "
        "force [N] and torque [N m] of the snow on each collider, mean over the frame: force_x_0 "
        "is that of the scene's first collider along x, force_x that of all of them.",
    .examples = "  firn measure runs/siggraph\n"
                "  firn measure runs/siggraph --frames 40 --threshold 150 --voxel 0.01\n"
                "  firn measure runs/siggraph --csv > siggraph.csv\n"
                "  firn measure runs/snowball-drop --region -1,0.1,-1,1,2,1 --json\n",
    .values_size = sizeof(measure_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = 1,
    .run = run,
};
