// SPDX-License-Identifier: MIT
// Names of files: paths of any length that the system accepts, and names that come from scenes,
// manifests and frames, which must not lead out of the folder that firn writes to.
#pragma once
#include "core/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Prints a path; owned by the caller. FIRN_REFUSED_IO: longer than the system accepts.
firn_result firn_path_print(char** out_path, firn_error* error, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// The folder of a path: "." for a plain name. Owned by the caller; null: out of memory.
char* firn_path_folder(const char* path);
// Whether a relative path stays inside its folder: no empty part, no '.' or '..', no control
// characters.
bool firn_path_is_inside(const char* file);

#define FIRN_STEM_BYTES 128
// The part of file names that stands for a scene: its name with '/', control characters and a '.'
// at the beginning replaced by '_'; "run" for a scene without a name. At most 127 bytes, cut
// between characters of UTF-8.
void firn_path_stem(const char* name, char out_stem[FIRN_STEM_BYTES]);

#ifdef __cplusplus
}
#endif
