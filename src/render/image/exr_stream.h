// SPDX-License-Identifier: MIT
// What reading and writing OpenEXR files share: our file descriptor and our memory behind the
// library, its messages kept instead of printed.
#pragma once
#include <openexr.h>

#include "core/result.h"

typedef struct firn_exr_stream {
    int file;           // borrowed descriptor
    int code;           // errno of the first read or write that failed; 0: none
    char message[200];  // the library's first complaint while reading
} firn_exr_stream;

// For exr_start_read and exr_start_write. `stream` must live until exr_finish.
exr_context_initializer_t firn_exr_stream_initializer(firn_exr_stream* stream, bool write);

// The sentence for the library's `code`: memory and failed input or output by their own names,
// everything else is `otherwise`. `verb`: "read" or "write".
firn_result firn_exr_stream_fail(const firn_exr_stream* stream, exr_result_t code, const char* verb,
                                 const char* path, firn_result otherwise, firn_error* error);
