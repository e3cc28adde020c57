// SPDX-License-Identifier: MIT
// The folder of a run.
#define _GNU_SOURCE  // asprintf
#include "cli/commands/run_folder.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/exit_codes.h"
#include "cli/terminal/message.h"

char* cli_run_folder_default(const firn_scene_info* scene)
{
    const bool has_variant = scene->variant && *scene->variant;
    char* path = NULL;
    if (asprintf(&path, "runs/%s%s%s", *scene->name ? scene->name : "scene", has_variant ? "-" : "",
                 has_variant ? scene->variant : "") < 0)
        return NULL;
    // names of variants may contain anything
    for (char* c = path + strlen("runs/"); *c; c++)
        if (*c == '/' || (unsigned char)*c < 0x20 || *c == 0x7f) *c = '-';
    return path;
}

// Checks for a run, even a damaged one. Whatever keeps firn from seeing it stops the command: only
// a folder that has none may be written to.
static int find_run(const char* dir, bool resume, bool overwrite, firn_cache_info* info,
                    bool* out_exists)
{
    firn_error error = {0};
    const firn_result result = firn_cache_read(dir, false, info, &error);
    if (result != FIRN_OK) *info = (firn_cache_info){.checkpoint = -1};
    *out_exists = result == FIRN_OK && info->frame_count > 0;
    if (result == FIRN_OK || result == FIRN_REFUSED_NAME) return CLI_EXIT_OK;
    if (result != FIRN_REFUSED_DAMAGED)
        cli_error("%s", error.text);
    else if (!resume && !overwrite)
        cli_error("%s (to start over, use --overwrite)", error.text);
    else
        return CLI_EXIT_OK;  // the run says the same, or replaces it
    return cli_exit_code_of_run(result);
}

static int refuse_existing(const char* dir, const firn_cache_info* info)
{
    char state[96] = "";
    if (info->frame_count > 0) {
        snprintf(state, sizeof state, " (%s, %" PRId64 " frames)",
                 info->complete ? "complete" : "not complete", info->frame_count);
    }
    cli_error(
        "'%s' already contains a run%s: use --resume to continue it, --overwrite to replace it, or "
        "-o DIR to write elsewhere",
        dir, state);
    return CLI_EXIT_USAGE;
}

int cli_run_folder_check(const char* dir, bool resume, bool overwrite, const cli_frames* frames)
{
    firn_cache_info info;
    bool exists = false;
    if (resume && overwrite) {
        return cli_usage_error("run", "--resume and --overwrite cannot be used together");
    }
    const int code = find_run(dir, resume, overwrite, &info, &exists);
    if (code != CLI_EXIT_OK) return code;
    if (exists && !resume && !overwrite) return refuse_existing(dir, &info);
    const int64_t start = resume && exists ? info.checkpoint + 1 : 0;
    if (frames->begin > start) {
        return cli_usage_error("run",
                               "option '--frames': a run cannot start at frame %" PRId64
                               "; it starts at 0 or, with --resume, after the last checkpoint "
                               "(here at frame %" PRId64 ")",
                               frames->begin, start);
    }
    return CLI_EXIT_OK;
}

static bool has_extension(const char* name, const char* extension)
{
    const size_t n = strlen(name), m = strlen(extension);
    return n > m && strcmp(name + n - m, extension) == 0;
}

static void scan(const char* dir, const char* extension, int depth, cli_files* files);

// `depth`: levels of sub-folders to search.
static void look_at(char* path, const char* extension, int depth, cli_files* files)
{
    struct stat status;
    if (stat(path, &status) != 0) return;
    if (S_ISDIR(status.st_mode) && depth > 0) scan(path, extension, depth - 1, files);
    if (!S_ISREG(status.st_mode) || !has_extension(path, extension)) return;
    files->count++;
    if (files->first && strcmp(path, files->first) >= 0) return;
    free(files->first);
    files->first = strdup(path);
}

static void scan(const char* dir, const char* extension, int depth, cli_files* files)
{
    DIR* folder = opendir(dir);
    if (!folder) return;
    for (const struct dirent* entry; (entry = readdir(folder)) != NULL;) {
        char* path = NULL;
        if (entry->d_name[0] == '.' || asprintf(&path, "%s/%s", dir, entry->d_name) < 0) continue;
        look_at(path, extension, depth, files);
        free(path);
    }
    closedir(folder);
}

cli_files cli_run_folder_files(const char* dir, const char* extension)
{
    cli_files files = {0};
    scan(dir, extension, 1, &files);
    return files;
}

void cli_files_free(cli_files* files)
{
    free(files->first);
    *files = (cli_files){0};
}
