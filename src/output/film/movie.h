// SPDX-License-Identifier: MIT
// An .mp4 out of numbered pictures, through the ffmpeg program.
#pragma once
#include "core/result.h"

// `pattern` as ffmpeg's image2 wants it ("dir/name.%04d.png"), first number `first`. Refused with
// the package to install when there is no ffmpeg on PATH. Written to a temporary name, then
// renamed.
firn_result firn_movie_write(const char* path, const char* pattern, int64_t first, int64_t count,
                             double fps, firn_error* error);
