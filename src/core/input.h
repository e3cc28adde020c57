// SPDX-License-Identifier: MIT
// Opens files that users name, for reading. Regular files only: a pipe would block for ever, a
// device has no end.
#pragma once
#include <stdio.h>
#include <sys/types.h>

#include "core/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a path that is no regular file names: "a pipe", "a device", "a folder", "a socket".
const char* firn_input_kind(mode_t mode);

// Open a regular file and get its length. The caller closes `*out_file`. Never blocks.
// FIRN_REFUSED_IO: it is missing, cannot be opened, or is a folder, pipe, socket or device.
firn_result firn_input_open(const char* path, int* out_file, uint64_t* out_bytes,
                            firn_error* error);
// The same as a stream in binary mode; the caller closes it with fclose. `out_bytes` may be null.
firn_result firn_input_stream(const char* path, FILE** out_stream, uint64_t* out_bytes,
                              firn_error* error);
// Get the most memory that using a file may take [bytes]: 256 for each of its bytes, and 64 MB at
// least, because small files, too, hold shapes and pictures of some size.
double firn_input_allowance(uint64_t file_bytes);
// Check that a file could be opened, without reading it.
firn_result firn_input_check(const char* path, firn_error* error);

#ifdef __cplusplus
}
#endif
