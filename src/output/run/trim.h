// SPDX-License-Identifier: MIT
// Trimming a run: drops frames, fields and checkpoints, packs frames again.
//
// Nothing is lost when the process ends at any moment, or the disk is full: the manifest lists
// complete files only, and is written before files that it no longer lists are removed. A frame is
// rewritten under a second name, read back, listed, and only then is the old file removed; at the
// end the files get their names back by hard links.
#pragma once
#include "firn/run.h"
#include "output/run/cache.h"

// Implements firn_cache_trim (firn.h). `packed`: deflate level of frames that lose fields and are
// not packed again by the definition.
firn_result firn_trim_run(const firn_trim_def* def, int packed, firn_trim_summary* out_summary,
                          firn_error* error);

// ---- trim_files.c -------------------------------------------------------------------------------

// Names of a frame's file: the usual one, and the one of its replacement.
void firn_trim_name(const firn_manifest* manifest, int64_t frame, bool second,
                    char out_file[FIRN_ENTRY_BYTES]);
// Removes frames and checkpoints that a trim or a run which was ended has left and the manifest
// does not list: files of exactly these names in frames/ and state/.
firn_result firn_trim_clean(const firn_cache* cache, firn_error* error);
// Gives rewritten frames their usual names. Where the file system has no links they keep the second
// ones.
firn_result firn_trim_rename(firn_cache* cache, firn_error* error);
// Writes the fields `kept` (FIRN_OUTPUT_BIT) of a frame under its second name, reads that back, and
// puts it into the place of the frame. *out_changed is false where the new file would be the same.
// FIRN_REFUSED_DAMAGED: the frame cannot be read, and stays.
firn_result firn_trim_rewrite(firn_cache* cache, int64_t frame, uint32_t kept, int compression,
                              bool* out_changed, firn_local* out_particles, firn_error* error);
