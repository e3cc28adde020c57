// SPDX-License-Identifier: MIT
// A file that is written from front to back, in pieces, and appears whole or not at all.
#pragma once
#include "core/result.h"

typedef struct firn_stream {
    int file;
    int reason;         // errno of the first failure; 0: none
    const char* path;   // borrowed
    firn_error* error;  // borrowed; may be null
    char temporary[4096];
    size_t used;
    unsigned char buffer[1 << 16];
} firn_stream;

// FIRN_OK: firn_stream_commit must follow.
firn_result firn_stream_open(firn_stream* stream, const char* path, firn_error* error);
// Failures are remembered and told by the commit.
void firn_stream_add(firn_stream* stream, const void* data, size_t bytes);
// With FIRN_OK as `result`: flushed and renamed to its path; else thrown away, and `result` comes
// back.
firn_result firn_stream_commit(firn_stream* stream, firn_result result);
