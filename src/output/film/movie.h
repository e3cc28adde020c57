// SPDX-License-Identifier: MIT
// An .mp4 from numbered pictures, made by ffmpeg.
#pragma once
#include "core/result.h"

// `pattern` is that of ffmpeg's image2 ("dir/name.%04d.png"), `first` the first number. Without
// ffmpeg on PATH the error names the package to install. Written to a temporary name, then renamed.
firn_result firn_movie_write(const char* path, const char* pattern, int64_t first, int64_t count,
                             double fps, firn_error* error);
