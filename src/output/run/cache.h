// SPDX-License-Identifier: MIT
// The folder of a run as a cache: frames by number, the newest intact checkpoint, a summary.
#pragma once
#include "core/log.h"
#include "firn/firn.h"
#include "output/frame/frame.h"
#include "output/run/manifest.h"

typedef struct firn_cache {
    char* dir;  // owned
    firn_manifest manifest;
} firn_cache;

// Reads the manifest; frames are read on demand.
firn_result firn_cache_open(const char* dir, firn_cache* out_cache, firn_error* error);
void firn_cache_close(firn_cache* cache);

// The file of an entry, DIR/file; owned by the caller.
firn_result firn_cache_path(const firn_cache* cache, const firn_manifest_entry* entry,
                            char** out_path, firn_error* error);
// Reads the frame of an entry, without comparing the file with the manifest's checksum.
// FIRN_REFUSED_DAMAGED: it has another number than its entry.
firn_result firn_cache_read_frame(const firn_cache* cache, const firn_manifest_entry* entry,
                                  firn_frame* out_frame, firn_error* error);
// Verifies frame `frame` against the manifest, then reads it. FIRN_REFUSED_NAME: there is none.
firn_result firn_cache_frame(const firn_cache* cache, int64_t frame, firn_frame* out_frame,
                             firn_error* error);
// The newest checkpoint with a correct checksum; a warning (cache.damaged) is logged for each newer
// one that is damaged or missing. Null when there is none. Borrowed from the manifest.
// FIRN_REFUSED_IO: one could not be read.
firn_result firn_cache_newest_checkpoint(const firn_cache* cache, const firn_log* log,
                                         const firn_manifest_entry** out_entry, firn_error* error);
// Implements firn_cache_read (firn.h).
firn_result firn_cache_summarize(const char* dir, bool verify, firn_cache_info* out_info,
                                 firn_error* error);

// Which frames of a run a call works through: a range with a step, or a list.
typedef struct firn_frame_choice {
    int64_t begin, end, step;  // end < 0: the newest frame
    const int64_t* frames;     // ascending, borrowed; null: the range
    size_t count;
} firn_frame_choice;

// Those frames, and the progress of the call.
typedef struct firn_cache_job {
    firn_frame_choice choice;
    int64_t first, last;   // of the run's frames that are wanted
    int64_t wanted, done;  // their number
    double start;          // [s]
} firn_cache_job;

// FIRN_REFUSED_NAME: the run has none of these frames, or lacks one of a list.
firn_result firn_cache_job_begin(const firn_cache* cache, const firn_frame_choice* choice,
                                 firn_cache_job* out_job, firn_error* error);
bool firn_cache_job_wants(const firn_cache_job* job, const firn_manifest_entry* entry);
// Reports a frame that is done; `report` may be null.
void firn_cache_job_report(const firn_cache_job* job, int64_t frame, double time,
                           firn_local particles, firn_progress_fn report, void* user);
