// SPDX-License-Identifier: MIT
// Films picture by picture: ffmpeg runs meanwhile and reads raw pixels.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/draft.h"
#include "core/memory.h"
#include "core/paths.h"
#include "core/result.h"
#include "core/text.h"
#include "firn/tools.h"
#include "output/film/encoder.h"
#include "output/film/spawn.h"

#define SIDE_MAX 16384  // [pixels]; the limit of H.264 encoders

struct firn_recording {
    firn_draft draft;
    firn_spawn encoder;
    size_t picture_bytes;
    int64_t pictures;
    bool broken;  // the encoder has ended early
};

// An ffmpeg without x264 would fail at the first picture: test it first.
static firn_spawn_outcome test_h264(void)
{
    const char* const arguments[] = {"ffmpeg",    "-nostdin", "-hide_banner",
                                     "-loglevel", "error",    "-f",
                                     "lavfi",     "-i",       "color=s=64x64:d=0.1",
                                     "-frames:v", "1",        "-pix_fmt",
                                     "yuv420p",   "-c:v",     "libx264",
                                     "-f",        "null",     "-",
                                     NULL};
    return firn_spawn_run(arguments);
}

// 0, or errno.
static int start(firn_recording* film, int width, int height, double fps, bool h264)
{
    char size[32], rate[32], *output = NULL;
    if (firn_path_print(&output, NULL, "file:%s", film->draft.temporary) != FIRN_OK) return ENOMEM;
    snprintf(size, sizeof size, "%dx%d", width, height);
    firn_print(rate, sizeof rate, "%.9g", fps);
    const char* arguments[20 + FIRN_ENCODER_ARGUMENTS];
    int n = 0;
    const char* const before[] = {"ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
                                  "-f",     "rawvideo",     "-pix_fmt",  "rgb24", "-video_size",
                                  size,     "-framerate",   rate,        "-i",    "pipe:0"};
    for (size_t k = 0; k < sizeof before / sizeof before[0]; k++) arguments[n++] = before[k];
    firn_encoder_append(arguments, n, h264, true, output);
    const int reason = firn_spawn_begin(arguments, &film->encoder);
    firn_free(output);
    return reason;
}

static firn_result begin(firn_recording* film, int width, int height, double fps, firn_error* error)
{
    firn_spawn_outcome outcome = test_h264();
    const bool h264 = outcome.missing == 0 && outcome.status == 0;
    if (outcome.missing == 0) outcome.missing = start(film, width, height, fps, h264);
    return outcome.missing == 0 ? FIRN_OK : firn_encoder_refuse(film->draft.path, &outcome, error);
}

firn_result firn_recording_begin(const char* path, int width, int height, double fps,
                                 firn_recording** out_film, firn_error* error)
{
    error = firn_call(error);
    if (!path || !out_film)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the path of a film is missing");
    if (width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX || !(fps > 0) || fps > 1e6)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "cannot make the film '%s' of %d x %d pixels at %g pictures per second",
                         path, width, height, fps);
    firn_recording* film = firn_alloc(1, sizeof *film);
    if (!film) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory starting a film");
    film->picture_bytes = (size_t)width * (size_t)height * 3;
    firn_result r = firn_draft_create(path, &film->draft, error);
    if (r == FIRN_OK) {
        r = begin(film, width, height, fps, error);
        if (r != FIRN_OK) firn_draft_commit(&film->draft, r, error);
    }
    if (r != FIRN_OK)
        firn_free(film);
    else
        *out_film = film;
    return r;
}

firn_result firn_recording_add(firn_recording* film, const uint8_t* pixels, firn_error* error)
{
    error = firn_call(error);
    if (!film || !pixels)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "firn_recording_add needs a recording and pixels");
    film->broken = film->broken || !firn_spawn_feed(&film->encoder, pixels, film->picture_bytes);
    if (film->broken)
        return firn_fail(error, FIRN_REFUSED_IO,
                         "the film '%s' ended early, after %" PRId64 " pictures: %s",
                         film->draft.path, film->pictures,
                         *film->encoder.message ? film->encoder.message : "ffmpeg ended early");
    film->pictures++;
    return FIRN_OK;
}

void firn_recording_abandon(firn_recording* film)
{
    if (!film) return;
    firn_spawn_end(&film->encoder, true);
    firn_draft_commit(&film->draft, FIRN_INTERRUPTED, NULL);
    firn_free(film);
}

firn_result firn_recording_end(firn_recording* film, firn_error* error)
{
    error = firn_call(error);
    if (!film)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "firn_recording_end needs a recording");
    if (film->pictures == 0 && !film->broken) {
        firn_recording_abandon(film);
        return FIRN_OK;
    }
    const firn_spawn_outcome outcome = firn_spawn_end(&film->encoder, false);
    // status -1: the exit status is unknown; rely on the file
    struct stat status;
    const bool good = !film->broken && outcome.status <= 0 &&
                      fstat(film->draft.file, &status) == 0 && status.st_size > 0;
    firn_result r = good ? FIRN_OK : firn_encoder_refuse(film->draft.path, &outcome, error);
    r = firn_draft_commit(&film->draft, r, error);
    firn_free(film);
    return r;
}
