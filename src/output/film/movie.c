// SPDX-License-Identifier: MIT
// Films from numbered pictures, with ffmpeg.
#include "output/film/movie.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/draft.h"
#include "core/memory.h"
#include "core/paths.h"
#include "core/text.h"
#include "output/film/encoder.h"
#include "output/film/spawn.h"

#define PATTERN_MAX 1023  // [bytes] longer ones are cut by ffmpeg 5.1, which then finds no picture

typedef struct film {
    char *input, *output;  // owned; with "file:", so that no name is taken for a URL
    char first[32], count[32], fps[32];
} film;

static firn_spawn_outcome encode(const film* f, bool h264)
{
    const char* arguments[20 + FIRN_ENCODER_ARGUMENTS];
    int n = 0;
    const char* const before[] = {
        "ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error",         "-y",
        "-f",     "image2",   "-framerate",   f->fps,      "-start_number", f->first,
        "-i",     f->input,   "-frames:v",    f->count};
    for (size_t k = 0; k < sizeof before / sizeof before[0]; k++) arguments[n++] = before[k];
    firn_encoder_append(arguments, n, h264, false, f->output);
    return firn_spawn_run(arguments);
}

static bool has_content(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_size > 0;
}

static firn_result make(const film* f, const firn_draft* draft, firn_error* error)
{
    firn_spawn_outcome outcome = encode(f, true);
    if (outcome.status > 0 && strstr(outcome.message, "libx264") != NULL)
        outcome = encode(f, false);  // an ffmpeg without x264 names it in its message
    // status -1: the exit status is unknown; rely on the file
    const bool good = outcome.missing == 0 && outcome.status <= 0 && has_content(draft->file);
    if (good) return FIRN_OK;
    // The reason first: such a path may be longer than a message.
    if (outcome.status > 0 && strlen(f->input) > PATTERN_MAX)
        return firn_fail(error, FIRN_REFUSED_IO,
                         "no film: ffmpeg reads pictures with paths of up to %d bytes, these have "
                         "%zu; use a shorter folder than for '%s'",
                         PATTERN_MAX, strlen(f->input), draft->path);
    return firn_encoder_refuse(draft->path, &outcome, error);
}

firn_result firn_movie_write(const char* path, const char* pattern, int64_t first, int64_t count,
                             double fps, firn_error* error)
{
    if (count < 1 || first < 0 || !(fps > 0) || fps > 1e6)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "cannot make the film '%s' of %" PRId64 " pictures from number %" PRId64
                         " at %g per second",
                         path, count, first, fps);
    film f = {0};
    snprintf(f.first, sizeof f.first, "%" PRId64, first);
    snprintf(f.count, sizeof f.count, "%" PRId64, count);
    firn_print(f.fps, sizeof f.fps, "%.9g", fps);
    firn_draft draft;
    FIRN_TRY(firn_draft_create(path, &draft, error));
    firn_result r = firn_path_print(&f.input, error, "file:%s", pattern);
    if (r == FIRN_OK) r = firn_path_print(&f.output, error, "file:%s", draft.temporary);
    if (r == FIRN_OK) r = make(&f, &draft, error);
    firn_free(f.input);
    firn_free(f.output);
    return firn_draft_commit(&draft, r, error);
}
