// SPDX-License-Identifier: MIT
// A file that is written front to back through a buffer and appears only when it is complete.
#pragma once
#include "core/draft.h"
#include "core/text.h"

typedef struct firn_stream {
    firn_draft draft;
    int reason;         // errno of the first failure; 0: none
    const char* path;   // borrowed
    firn_error* error;  // borrowed; may be null
    size_t used;
    unsigned char buffer[1 << 16];
} firn_stream;

// FIRN_OK: firn_stream_commit must follow.
firn_result firn_stream_open(firn_stream* stream, const char* path, firn_error* error);
// The first failure is kept and reported by firn_stream_commit.
void firn_stream_add(firn_stream* stream, const void* data, size_t bytes);
// Adds a text and frees it. FIRN_BROKEN_MEMORY: the text is incomplete.
firn_result firn_stream_add_text(firn_stream* stream, firn_text* text);
// With FIRN_OK as `result` the file is flushed and renamed to its path; else it is deleted and
// `result` is returned.
firn_result firn_stream_commit(firn_stream* stream, firn_result result);
