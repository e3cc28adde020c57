// SPDX-License-Identifier: MIT
// firn info: describes a run's folder or one file.
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands/commands.h"
#include "cli/commands/frame_list.h"
#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"
#include "firn/firn.h"

typedef struct info_options {
    const char* frames;
    bool verify, json;
} info_options;

// clang-format off
static const cli_option options[] = {
    {"frames", 0, CLI_OPTION_TEXT, offsetof(info_options, frames), "FRAMES", 0, 0,
     "describe these frames of a run: A:B, A:B:S, a single frame, or a comma-separated list"},
    {"verify", 0, CLI_OPTION_FLAG, offsetof(info_options, verify), NULL, 0, 0,
     "verify the checksum of every file of the run; exit with code 3 if one is wrong"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(info_options, json), NULL, 0, 0,
     "print one JSON object on stdout"},
};
// clang-format on

static void add_row(cli_table* table, const char* name, const char* value)
{
    cli_table_add(table, (const char*[]){name, value});
}

static void folder_text(const firn_cache_info* info, bool verify)
{
    char text[256];
    cli_table table;
    cli_table_init(&table, (const cli_column[]){{"", false}, {"", false}}, 2);
    add_row(&table, "scene", info->scene);
    add_row(&table, "solver", info->solver);
    snprintf(text, sizeof text, "%" PRId64 " (%" PRId64 " to %" PRId64 ") at %s per second, %s",
             info->frame_count, info->frame_first, info->frame_last,
             cli_format_real(info->fps).text, info->complete ? "complete" : "not complete");
    add_row(&table, "frames", info->frame_count > 0 ? text : "none");
    snprintf(text, sizeof text, "%s", cli_format_count(info->particles).text);
    if (info->culled > 0)
        snprintf(text, sizeof text, "%s in the last frame; %s culled during the run",
                 cli_format_count(info->particles).text, cli_format_count(info->culled).text);
    add_row(&table, "particles", text);
    snprintf(text, sizeof text, "%s m", cli_format_real(info->cell).text);
    add_row(&table, "cell", text);
    add_row(&table, "size", cli_format_bytes((double)info->bytes).text);
    if (info->checkpoint >= 0)
        snprintf(text, sizeof text, "frame %" PRId64 ", state hash %016" PRIx64, info->checkpoint,
                 info->state_hash);
    else
        snprintf(text, sizeof text, "none");
    add_row(&table, "checkpoint", text);
    if (info->damaged > 0)
        snprintf(text, sizeof text, "%" PRId64 " file%s", info->damaged,
                 info->damaged == 1 ? "" : "s");
    else
        snprintf(text, sizeof text, "%s",
                 verify ? "none" : "none found (--verify checks the checksums)");
    add_row(&table, "damaged", text);
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

static void folder_json(const firn_cache_info* info, const char* path, bool verify)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "path", path);
    cli_json_text(&json, "scene", info->scene);
    cli_json_text(&json, "solver", info->solver);
    cli_json_int(&json, "frame_first", info->frame_first);
    cli_json_int(&json, "frame_last", info->frame_last);
    cli_json_int(&json, "frame_count", info->frame_count);
    cli_json_real(&json, "fps", info->fps);
    cli_json_real(&json, "cell", info->cell);
    cli_json_int(&json, "particles", info->particles);
    cli_json_int(&json, "culled", info->culled);
    cli_json_int(&json, "bytes", (int64_t)info->bytes);
    cli_json_bool(&json, "complete", info->complete);
    cli_json_bool(&json, "verified", verify);
    cli_json_int(&json, "damaged", info->damaged);
    if (info->checkpoint >= 0) {
        cli_json_int(&json, "checkpoint", info->checkpoint);
        cli_json_hash(&json, "state_hash", info->state_hash);
    } else {
        cli_json_null(&json, "checkpoint");
        cli_json_null(&json, "state_hash");
    }
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static int describe_folder(const char* path, const info_options* o)
{
    firn_cache_info info;
    firn_error error = {0};
    const firn_result result = firn_cache_read(path, o->verify, &info, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code_of_run(result);
    }
    if (o->json)
        folder_json(&info, path, o->verify);
    else
        folder_text(&info, o->verify);
    if (info.damaged == 0) return CLI_EXIT_OK;
    const bool one = info.damaged == 1;
    cli_error("%" PRId64 " file%s of the run in '%s' %s missing or modified", info.damaged,
              one ? "" : "s", path, one ? "is" : "are");
    return CLI_EXIT_INPUT;
}

static int describe_file(const char* path, const info_options* o)
{
    char* text = NULL;
    firn_error error = {0};
    const firn_result result = firn_file_describe(path, &text, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code_of_run(result);
    }
    if (!o->json) {
        const size_t length = strlen(text);
        fputs(text, stdout);
        if (length > 0 && text[length - 1] != '\n') putchar('\n');
    } else {
        cli_json json = cli_json_begin(stdout);
        cli_json_open_object(&json, NULL);
        cli_json_text(&json, "path", path);
        cli_json_text(&json, "description", text);
        cli_json_close_object(&json);
        cli_json_end(&json);
    }
    firn_text_free(text);
    return CLI_EXIT_OK;
}

// ---- single frames ------------------------------------------------------------------------------

typedef struct frame_row {
    int64_t frame, particles;
    double time;
    char fields[256];
} frame_row;

static frame_row read_row(const firn_replay* replay, int64_t frame)
{
    frame_row row = {.frame = frame, .time = firn_replay_time(replay)};
    firn_field_view view;
    size_t at = 0;
    for (int k = 0; k < firn_replay_field_count(replay); k++) {
        if (firn_replay_field_at(replay, k, &view) != FIRN_OK) continue;
        row.particles = view.count;
        if (at < sizeof row.fields)
            at += (size_t)snprintf(row.fields + at, sizeof row.fields - at, "%s%s",
                                   at > 0 ? " " : "", view.name);
    }
    return row;
}

static void print_row(const frame_row* row, cli_table* table, bool as_json)
{
    if (!as_json) {
        cli_table_add(table, (const char*[]){cli_format_count(row->frame).text,
                                             cli_format_real(row->time).text,
                                             cli_format_count(row->particles).text, row->fields});
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_int(&json, "frame", row->frame);
    cli_json_real(&json, "time", row->time);
    cli_json_int(&json, "particles", row->particles);
    cli_json_text(&json, "fields", row->fields);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

// Reads the frames, which verifies their checksums. A list must be there, of a range some.
static int describe_frames(const char* dir, const cli_frame_list* list, bool as_json)
{
    firn_replay* replay = NULL;
    firn_error error = {0};
    firn_result result = firn_replay_open(dir, &replay, &error);
    const int64_t* frames = NULL;
    const int count = result == FIRN_OK ? firn_replay_frames(replay, &frames) : 0;
    cli_table table;
    cli_table_init(&table,
                   (const cli_column[]){
                       {"frame", true}, {"time [s]", true}, {"particles", true}, {"fields", false}},
                   4);
    size_t found = 0;
    for (int k = 0; k < count && result == FIRN_OK; k++) {
        if (!cli_frame_list_has(list, frames[k])) continue;
        found++;
        result = firn_replay_seek(replay, frames[k], &error);
        if (result != FIRN_OK) break;
        const frame_row row = read_row(replay, frames[k]);
        print_row(&row, &table, as_json);
    }
    if (!as_json && found > 0) cli_table_print(&table, stdout);
    cli_table_destroy(&table);
    firn_replay_close(replay);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code_of_run(result);
    }
    if (found > 0 && (list->frames == NULL || found == list->count)) return CLI_EXIT_OK;
    cli_error("'%s' does not have %s of these frames", dir, found > 0 ? "all" : "any");
    return CLI_EXIT_INPUT;
}

static int describe_list(const char* path, const info_options* o)
{
    cli_frame_list list;
    if (o->verify) return cli_usage_error("info", "--verify checks whole runs: leave --frames out");
    int code = cli_frame_list_option("info", o->frames, &list);
    if (code == CLI_EXIT_OK) code = describe_frames(path, &list, o->json);
    cli_frame_list_free(&list);
    return code;
}

static int describe(const char* path, const info_options* o)
{
    struct stat status;
    if (o->frames != NULL) return describe_list(path, o);
    if (stat(path, &status) != 0) {
        const int reason = errno;
        cli_error("'%s' cannot be read: %s", path, strerror(reason));
        return reason == ENOENT ? CLI_EXIT_INPUT : CLI_EXIT_IO;
    }
    return S_ISDIR(status.st_mode) ? describe_folder(path, o) : describe_file(path, o);
}

static int run(const void* values, const cli_arguments* arguments)
{
    return describe(arguments->items[0], values);
}

const cli_command cli_info = {
    .name = "info",
    .arguments = "DIR|FILE [options]",
    .summary = "describe the folder of a run, or one frame, checkpoint or PLY file",
    .examples = "  firn info runs/snowball-drop --verify\n"
                "  firn info runs/snowball-drop --frames 0:96:12\n"
                "  firn info runs/snowball-drop --json\n",
    .values_size = sizeof(info_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = 1,
    .run = run,
};
