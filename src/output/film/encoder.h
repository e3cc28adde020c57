// SPDX-License-Identifier: MIT
// How ffmpeg is asked for an .mp4 that every player plays: H.264, or MPEG-4 where ffmpeg has no
// x264.
#pragma once
#include "core/result.h"
#include "output/film/spawn.h"

#define FIRN_ENCODER_ARGUMENTS 40  // at most, the null at the end included

// Appends filter, codec and output file to a command line of `n` arguments, then a null. `fast`:
// while somebody waits; the file is larger then. Returns the number of arguments. `output` with
// "file:" before it, so that no name is a URL; borrowed, as all arguments are.
int firn_encoder_append(const char** arguments, int n, bool h264, bool fast, const char* output);
// The sentence for a film that could not be made.
firn_result firn_encoder_refuse(const char* path, const firn_spawn_outcome* outcome,
                                firn_error* error);
