// SPDX-License-Identifier: MIT
// The part of the command line of ffmpeg that is common to all films.
#include "output/film/encoder.h"

#include <errno.h>
#include <string.h>

// 4:2:0 needs even sizes. Pictures are full-range RGB; players assume BT.709, and the file says so.
static const char filter[] =
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=in_range=full:out_range=tv:out_color_matrix=bt709,"
    "format=yuv420p";

int firn_encoder_append(const char** arguments, int n, bool h264, bool fast, const char* output)
{
    const char* const codec[2][6] = {
        {"-c:v", "mpeg4", "-q:v", "3", NULL, NULL},
        {"-c:v", "libx264", "-crf", "18", "-preset", fast ? "veryfast" : "medium"}};
    const char* const after[] = {
        "-colorspace",  "bt709", "-color_primaries", "bt709",      "-color_trc", "bt709",
        "-color_range", "tv",    "-movflags",        "+faststart", "-f",         "mp4",
        output};
    arguments[n++] = "-an";
    arguments[n++] = "-vf";
    arguments[n++] = filter;
    for (int k = 0; k < 6 && codec[h264][k] != NULL; k++) arguments[n++] = codec[h264][k];
    for (size_t k = 0; k < sizeof after / sizeof after[0]; k++) arguments[n++] = after[k];
    arguments[n] = NULL;
    return n;
}

firn_result firn_encoder_refuse(const char* path, const firn_spawn_outcome* outcome,
                                firn_error* error)
{
    if (outcome->missing == ENOENT || outcome->missing == EACCES || outcome->missing == ENOTDIR)
        return firn_fail(
            error, FIRN_REFUSED_BACKEND,
            "cannot make the film '%s': the program ffmpeg is not on PATH; install the package "
            "ffmpeg",
            path);
    if (outcome->missing != 0)
        return firn_fail(error, FIRN_REFUSED_IO,
                         "cannot make the film '%s': cannot start ffmpeg: %s", path,
                         strerror(outcome->missing));
    return firn_fail(
        error, FIRN_REFUSED_IO, "cannot make the film '%s': ffmpeg ended with status %d: %s", path,
        outcome->status, outcome->message[0] != '\0' ? outcome->message : "(no message)");
}
