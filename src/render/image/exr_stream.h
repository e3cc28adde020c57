// SPDX-License-Identifier: MIT
// Shared by the OpenEXR reader and writer: I/O on our file descriptor, memory from core/memory.h,
// and error messages that are stored instead of printed.
#pragma once
#include <openexr.h>

#include "core/result.h"

typedef struct firn_exr_stream {
    int file;           // borrowed descriptor
    int code;           // errno of the first failed read or write; 0: none
    bool writing;       // set by firn_exr_stream_initializer
    char message[200];  // the library's first error message while reading
} firn_exr_stream;

// For exr_start_read and exr_start_write. `stream` must live until exr_finish.
exr_context_initializer_t firn_exr_stream_initializer(firn_exr_stream* stream, bool write);

// Turns the library's `code` into a firn_result with a message: memory and I/O failures have their
// own results, everything else gives `otherwise`. `verb`: "read" or "write".
firn_result firn_exr_stream_fail(const firn_exr_stream* stream, exr_result_t code, const char* verb,
                                 const char* path, firn_result otherwise, firn_error* error);
