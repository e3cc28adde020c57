// SPDX-License-Identifier: MIT
// The text of a manifest: JSON, one entry per line, with a checksum of all that precedes it as the
// last line. Only this exact form is read: the file is ours, and anything else is damage.
#pragma once
#include "core/text.h"
#include "output/run/manifest.h"

firn_result firn_manifest_print(const firn_manifest* manifest, firn_text* out_text,
                                firn_error* error);
// `text` is zero-terminated. `name` stands in messages. Entries of `out_manifest` are owned by the
// caller.
firn_result firn_manifest_parse(const char* text, size_t length, const char* name,
                                firn_manifest* out_manifest, firn_error* error);
// Inside the run's folder: relative, no empty part, no '.' or '..', no control characters.
bool firn_manifest_name_is_safe(const char* file);
