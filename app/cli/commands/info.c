// SPDX-License-Identifier: MIT
// firn info: describes a run's folder or one file.
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"
#include "firn/firn.h"

typedef struct info_options {
    bool verify, json;
} info_options;

// clang-format off
static const cli_option options[] = {
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

static int describe(const char* path, const info_options* o)
{
    struct stat status;
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
                "  firn info runs/snowball-drop --json\n",
    .values_size = sizeof(info_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = 1,
    .run = run,
};
