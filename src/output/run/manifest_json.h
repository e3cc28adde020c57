// SPDX-License-Identifier: MIT
// The text of a manifest: JSON with one entry per line and, as its last line, a checksum of all
// that precedes it. The parser accepts exactly what firn writes; anything else is damage.
#pragma once
#include "core/text.h"
#include "output/run/manifest.h"

// Passes the text to `sink` in parts, so that memory does not grow with the number of files.
typedef void (*firn_manifest_sink)(void* user, const void* text, size_t bytes);
firn_result firn_manifest_print(const firn_manifest* manifest, firn_manifest_sink sink, void* user,
                                firn_error* error);
// `text` is null-terminated; messages name it `name`. The caller owns the entries of
// `out_manifest`.
firn_result firn_manifest_parse(const char* text, size_t length, const char* name,
                                firn_manifest* out_manifest, firn_error* error);
