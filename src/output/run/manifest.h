// SPDX-License-Identifier: MIT
// The manifest of a run: its files with size and checksum. Rewritten atomically after each frame,
// so that readers and --resume see complete frames only.
#pragma once
#include "core/result.h"

// Frames and checkpoints are the run itself; the others are made from it, and are listed so that
// --overwrite removes the files of the run and no others.
typedef enum firn_entry_kind {
    FIRN_ENTRY_FRAME,
    FIRN_ENTRY_CHECKPOINT,
    FIRN_ENTRY_PREVIEW,
    FIRN_ENTRY_PLY,
    FIRN_ENTRY_VTP,
    FIRN_ENTRY_VDB,
    FIRN_ENTRY_SERIES,  // of the whole run, as those below: listed with frame 0
    FIRN_ENTRY_FILM,
    FIRN_ENTRY_SHEET,
    FIRN_ENTRY_COLLIDERS,  // of exports, as those below
    FIRN_ENTRY_STAGE,
    FIRN_ENTRY_SDF,  // of a frame, as those below
    FIRN_ENTRY_MESH_PLY,
    FIRN_ENTRY_MESH_OBJ,
    FIRN_ENTRY_MESH_GLB,
    FIRN_ENTRY_HEIGHTS_PNG,
    FIRN_ENTRY_HEIGHTS_R32,
    FIRN_ENTRY_HEIGHTS_JSON,
    FIRN_ENTRY_START,  // snow that the run starts from; `frame` is its number in the scene
    FIRN_ENTRY_KINDS
} firn_entry_kind;

#define FIRN_ENTRY_BYTES 256  // of a file's name; longer ones are refused

typedef struct firn_manifest_entry {
    firn_entry_kind kind;
    int64_t frame;
    char file[FIRN_ENTRY_BYTES];  // relative to the run's folder
    uint64_t bytes;
    uint64_t checksum;  // xxHash64 of the file
} firn_manifest_entry;

typedef struct firn_manifest {
    char scene[128], solver[32];  // printable, without parts that lead out of a folder
    uint64_t scene_hash;
    double fps, cell;
    int64_t frame_end;  // last frame of the run
    bool complete;
    int64_t culled;                // particles removed up to the newest frame or checkpoint
    firn_manifest_entry* entries;  // owned, by frame
    firn_local count, capacity;
} firn_manifest;

// `DIR/manifest.json`. Reading gives FIRN_REFUSED_NAME when DIR has no run, which is the only
// result that allows to start one there; FIRN_REFUSED_DAMAGED with line and reason when the
// manifest is not as firn writes it, or when there are frames but no manifest; FIRN_REFUSED_IO when
// the disk does not tell.
firn_result firn_manifest_read(const char* dir, firn_manifest* out_manifest, firn_error* error);
firn_result firn_manifest_write(const char* dir, const firn_manifest* manifest, firn_error* error);
// Takes the memory of `count` entries now (of 16384 at most), so that it does not grow during a
// run.
firn_result firn_manifest_reserve(firn_manifest* manifest, int64_t count, firn_error* error);
void firn_manifest_destroy(firn_manifest* manifest);
// Measures size and checksum of DIR/file, for firn_manifest_put.
firn_result firn_manifest_measure(const char* dir, firn_entry_kind kind, int64_t frame,
                                  const char* file, firn_manifest_entry* out_entry,
                                  firn_error* error);
// Adds or replaces an entry of DIR's manifest.
firn_result firn_manifest_put(firn_manifest* manifest, const char* dir,
                              const firn_manifest_entry* entry, firn_error* error);
// Both.
firn_result firn_manifest_add(firn_manifest* manifest, const char* dir, firn_entry_kind kind,
                              int64_t frame, const char* file, firn_error* error);
// Null when there is none. Borrowed until the manifest changes.
const firn_manifest_entry* firn_manifest_find(const firn_manifest* manifest, firn_entry_kind kind,
                                              int64_t frame);
// Drops entries of that kind outside [first, last], writes the manifest if there were any, then
// removes the files if they have the recorded size: the manifest never lists a file that was
// removed.
firn_result firn_manifest_keep(firn_manifest* manifest, const char* dir, firn_entry_kind kind,
                               int64_t first, int64_t last, firn_error* error);
// The same, and writes the manifest in any case, once.
firn_result firn_manifest_write_keeping(firn_manifest* manifest, const char* dir,
                                        firn_entry_kind kind, int64_t first, int64_t last,
                                        firn_error* error);
// Drops the entries that `drops` chooses, in the same way.
typedef bool (*firn_manifest_choice)(void* user, const firn_manifest_entry* entry);
firn_result firn_manifest_drop(firn_manifest* manifest, const char* dir, firn_manifest_choice drops,
                               void* user, firn_error* error);
// Lists another file, which exists, for the entry of this kind and frame, writes the manifest, and
// removes the old file as firn_manifest_keep does.
firn_result firn_manifest_replace(firn_manifest* manifest, const char* dir, firn_entry_kind kind,
                                  int64_t frame, const char* file, firn_error* error);
// FIRN_OK when the file is there with the recorded size and checksum; FIRN_REFUSED_DAMAGED when it
// is missing or another one; FIRN_REFUSED_IO when it cannot be read.
firn_result firn_manifest_verify(const firn_manifest_entry* entry, const char* dir,
                                 firn_error* error);
