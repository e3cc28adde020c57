// SPDX-License-Identifier: MIT
// firn trim: drops frames, fields and checkpoints of a run, and packs frames again.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/frame_list.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/progress.h"
#include "firn/firn.h"

typedef struct trim_options {
    const char *frames, *fields;
    int64_t compression, checkpoints;
    bool no_resume, dry_run, json, quiet;
} trim_options;

// clang-format off
static const cli_option options[] = {
    {"frames", 0, CLI_OPTION_TEXT, offsetof(trim_options, frames), "FRAMES", 0, 0,
     "frames to keep: A:B, A:B:S for every S-th frame, a single frame, or a comma-separated list "
     "(all)"},
    {"fields", 0, CLI_OPTION_TEXT, offsetof(trim_options, fields), "FIELDS", 0, 0,
     "comma-separated list of the fields to keep; positions stay in any case (all)"},
    {"compression", 0, CLI_OPTION_INT, offsetof(trim_options, compression), "LEVEL", 0, 9,
     "pack the frames that stay again: 0 (none) to 9 (smallest)"},
    {"checkpoints", 0, CLI_OPTION_INT, offsetof(trim_options, checkpoints), "N", 0, 1e9,
     "keep the newest N intact checkpoints (all); 0 needs --no-resume"},
    {"no-resume", 0, CLI_OPTION_FLAG, offsetof(trim_options, no_resume), NULL, 0, 0,
     "the run need not be resumed: drop all checkpoints, unless --checkpoints says otherwise"},
    {"dry-run", 'n', CLI_OPTION_FLAG, offsetof(trim_options, dry_run), NULL, 0, 0,
     "only print what would be dropped"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(trim_options, json), NULL, 0, 0,
     "print one JSON object on stdout"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(trim_options, quiet), NULL, 0, 0,
     "print only warnings and errors"},
};
// clang-format on

#define NOT_GIVEN (-1)

static const trim_options defaults = {.compression = NOT_GIVEN, .checkpoints = NOT_GIVEN};

static bool is_cancelled(void* user)
{
    (void)user;
    return cli_interrupt_came();
}

// Splits a copy of `text` at its commas; empty words are left out. Owned by the caller, both.
static char** split(const char* text, char** out_copy, size_t* out_count)
{
    char* copy = strdup(text);
    char** words = calloc(strlen(text) + 1, sizeof *words);
    *out_copy = copy;
    *out_count = 0;
    if (copy == NULL || words == NULL) {
        free(words);
        return NULL;
    }
    for (char* at = strtok(copy, ", "); at != NULL; at = strtok(NULL, ", "))
        words[(*out_count)++] = at;
    return words;
}

static void print_text(const firn_trim_summary* s, bool dry_run)
{
    const double before = (double)s->bytes_before, after = (double)s->bytes_after;
    printf("frames       %" PRId64 " of %" PRId64 " stay", s->frames_kept, s->frames);
    if (s->frames_rewritten > 0)
        printf(", %" PRId64 " %s rewritten", s->frames_rewritten, dry_run ? "would be" : "were");
    printf("\ncheckpoints  %" PRId64 " of %" PRId64 " stay\n", s->checkpoints_kept, s->checkpoints);
    printf("size         %s before, %s %s", cli_format_bytes(before).text,
           cli_format_bytes(after).text, dry_run ? "after" : "now");
    if (before > 0 && after <= before)
        printf(": %s (%.0f %%) saved", cli_format_bytes(before - after).text,
               100 * (before - after) / before);
    if (dry_run && s->frames_rewritten > 0) printf(", and what rewriting saves");
    putchar('\n');
}

static void print_json(const firn_trim_summary* s, const char* dir, bool dry_run)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "path", dir);
    cli_json_bool(&json, "dry_run", dry_run);
    cli_json_int(&json, "frames", s->frames);
    cli_json_int(&json, "frames_kept", s->frames_kept);
    cli_json_int(&json, "frames_rewritten", s->frames_rewritten);
    cli_json_int(&json, "checkpoints", s->checkpoints);
    cli_json_int(&json, "checkpoints_kept", s->checkpoints_kept);
    cli_json_int(&json, "damaged", s->damaged);
    cli_json_int(&json, "bytes_before", (int64_t)s->bytes_before);
    cli_json_int(&json, "bytes_after", (int64_t)s->bytes_after);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static int trim(firn_trim_def* def, const trim_options* o)
{
    cli_progress progress = cli_progress_begin(false, o->quiet || o->json);
    firn_trim_summary summary = {0};
    firn_error error = {0};
    def->log = cli_progress_log;
    def->progress = cli_progress_step;
    def->cancelled = is_cancelled;
    def->user = &progress;
    cli_interrupt_ask(CLI_INTERRUPT_SECONDS);
    const firn_result result = firn_cache_trim(def, &summary, &error);
    cli_progress_clear(&progress);
    // a refusal has changed nothing; anything else may have
    const bool done = result == FIRN_OK || summary.bytes_after != summary.bytes_before ||
                      result == FIRN_REFUSED_DAMAGED;
    if (done && o->json) print_json(&summary, def->dir, o->dry_run);
    if (done && !o->json && !o->quiet && summary.frames > 0) print_text(&summary, o->dry_run);
    if (result == FIRN_OK) return CLI_EXIT_OK;
    cli_error("%s", error.text);
    return cli_exit_code_of_run(result);
}

static int run_trim(const trim_options* o, const char* dir, const cli_frame_list* frames)
{
    firn_trim_def def = firn_default_trim_def();
    def.dir = dir;
    def.frame_begin = frames->begin;
    def.frame_end = frames->end;
    def.frame_step = frames->step;
    def.frames = frames->frames;
    def.frame_count = frames->count;
    def.compression = (int)o->compression;
    def.without_resume = o->no_resume;
    def.checkpoints = o->checkpoints;
    if (o->no_resume && o->checkpoints == NOT_GIVEN) def.checkpoints = 0;
    def.dry_run = o->dry_run;
    if (o->frames == NULL && o->fields == NULL && o->compression == NOT_GIVEN &&
        def.checkpoints == NOT_GIVEN)
        return cli_usage_error("trim", "say what to keep: --frames, --fields, --compression, "
                                       "--checkpoints or --no-resume");
    if (def.checkpoints == 0 && !o->no_resume)
        return cli_usage_error("trim", "without a checkpoint the run could not be resumed: keep "
                                       "one with --checkpoints 1, or add --no-resume");
    if (o->fields == NULL) return trim(&def, o);
    char* copy;
    char** words = split(o->fields, &copy, &def.field_count);
    int code = CLI_EXIT_MEMORY;
    def.fields = (const char* const*)words;
    if (words != NULL)
        code = trim(&def, o);
    else
        cli_error("out of memory");
    free(words);
    free(copy);
    return code;
}

static int run(const void* values, const cli_arguments* arguments)
{
    const trim_options* o = values;
    cli_frame_list frames;
    int code = cli_frame_list_option("trim", o->frames, &frames);
    if (code == CLI_EXIT_OK) code = run_trim(o, arguments->items[0], &frames);
    cli_frame_list_free(&frames);
    return code;
}

const cli_command cli_trim = {
    .name = "trim",
    .arguments = "DIR [options]",
    .summary = "make a run smaller: drop frames, fields and checkpoints, pack frames again",
    .text =
        "What stays is as it was, bit for bit, and `firn info --verify` passes. With a frame go "
        "the PLY, VTP and VDB files that the run has made of it; pictures and the film stay. What "
        "--resume needs is dropped only with --no-resume. If trim is ended at any moment the run "
        "is whole, and the same command finishes. It needs room for one frame.",
    .examples = "  firn trim runs/snowball-drop --frames 0:96:4 --dry-run\n"
                "  firn trim runs/snowball-drop --fields velocity,id --compression 9\n"
                "  firn trim runs/snowball-drop --checkpoints 1\n",
    .defaults = &defaults,
    .values_size = sizeof(trim_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = 1,
    .run = run,
};
