// SPDX-License-Identifier: MIT
// Films from numbered pictures, with ffmpeg.
#include "output/film/movie.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"
#include "output/film/encoder.h"
#include "output/film/spawn.h"

#define PATH_BYTES 4096

typedef struct film {
    char input[PATH_BYTES + 8],
        output[PATH_BYTES + 8];  // with "file:", so that no name is taken for a URL
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

static bool has_content(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_size > 0;
}

firn_result firn_movie_write(const char* path, const char* pattern, int64_t first, int64_t count,
                             double fps, firn_error* error)
{
    if (count < 1 || first < 0 || !(fps > 0) || fps > 1e6)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "cannot make the film '%s' of %" PRId64 " pictures from number %" PRId64
                         " at %g per second",
                         path, count, first, fps);
    char temporary[PATH_BYTES];
    FIRN_TRY(firn_file_temporary(path, temporary, sizeof temporary, error));
    if (strlen(pattern) >= PATH_BYTES)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the path '%.200s…' is too long", pattern);
    film f;
    snprintf(f.input, sizeof f.input, "file:%s", pattern);
    snprintf(f.output, sizeof f.output, "file:%s", temporary);
    snprintf(f.first, sizeof f.first, "%" PRId64, first);
    snprintf(f.count, sizeof f.count, "%" PRId64, count);
    firn_print(f.fps, sizeof f.fps, "%.9g", fps);
    firn_spawn_outcome outcome = encode(&f, true);
    if (outcome.status > 0 && strstr(outcome.message, "libx264") != NULL)
        outcome = encode(&f, false);  // an ffmpeg without x264 names it in its message
    // status -1: the exit status is unknown; rely on the file
    const bool good = outcome.missing == 0 && outcome.status <= 0 && has_content(temporary);
    if (good) return firn_file_commit(temporary, path, error);
    unlink(temporary);
    return firn_encoder_refuse(path, &outcome, error);
}
