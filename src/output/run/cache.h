// SPDX-License-Identifier: MIT
// A run's folder seen as a cache: frames by number, the newest good checkpoint, what is damaged.
#pragma once
#include "core/log.h"
#include "firn/firn.h"
#include "output/frame/frame.h"
#include "output/run/manifest.h"

typedef struct firn_cache {
    char* dir;  // owned
    firn_manifest manifest;
} firn_cache;

// Reads the manifest; frames are looked at when they are asked for.
firn_result firn_cache_open(const char* dir, firn_cache* out_cache, firn_error* error);
void firn_cache_close(firn_cache* cache);

// The file of an entry: fills `out_path` with DIR/file.
firn_result firn_cache_path(const firn_cache* cache, const firn_manifest_entry* entry,
                            char* out_path, size_t size, firn_error* error);
// Verifies frame `frame` against the manifest, then reads it. FIRN_REFUSED_NAME: there is none.
firn_result firn_cache_frame(const firn_cache* cache, int64_t frame, firn_frame* out_frame,
                             firn_error* error);
// The newest checkpoint whose checksum is right; each damaged one that is passed over gets a log
// line (cache.damaged). Null when there is none. Borrowed from the manifest.
const firn_manifest_entry* firn_cache_newest_checkpoint(const firn_cache* cache,
                                                        const firn_log* log);
// What firn_cache_read promises (firn.h).
firn_result firn_cache_summarize(const char* dir, bool verify, firn_cache_info* out_info,
                                 firn_error* error);
