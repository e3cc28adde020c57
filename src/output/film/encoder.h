// SPDX-License-Identifier: MIT
// Arguments of ffmpeg for an .mp4 that all players support: H.264, or MPEG-4 where ffmpeg was built
// without x264.
#pragma once
#include "core/result.h"
#include "output/film/spawn.h"

#define FIRN_ENCODER_ARGUMENTS 40  // at most, the null at the end included

// Appends filter, codec and output file to a command line of `n` arguments, then a null. Returns
// the number of arguments, which are borrowed. `fast`: a faster preset with larger files. `output`
// begins with "file:", so that no name is taken for a URL.
int firn_encoder_append(const char** arguments, int n, bool h264, bool fast, const char* output);
// Reports why a film could not be made.
firn_result firn_encoder_refuse(const char* path, const firn_spawn_outcome* outcome,
                                firn_error* error);
