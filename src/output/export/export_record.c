// SPDX-License-Identifier: MIT
// Lists files that were exported into the folder of their run in its manifest, so that --overwrite
// removes them.
#include "output/export/export_record.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/paths.h"
#include "output/run/run_lock.h"

typedef struct format {
    firn_entry_kind kind;
    const char *folder, *extension;  // folder "": files of the whole run, without a number
} format;

static const format formats[] = {{FIRN_ENTRY_PLY, "ply", "ply"},
                                 {FIRN_ENTRY_VTP, "vtp", "vtp"},
                                 {FIRN_ENTRY_VDB, "vdb", "vdb"},
                                 {FIRN_ENTRY_SDF, "sdf", "vdb"},
                                 {FIRN_ENTRY_MESH_PLY, "mesh", "ply"},
                                 {FIRN_ENTRY_MESH_OBJ, "mesh", "obj"},
                                 {FIRN_ENTRY_MESH_GLB, "mesh", "glb"},
                                 {FIRN_ENTRY_HEIGHTS_PNG, "heights", "png"},
                                 {FIRN_ENTRY_HEIGHTS_R32, "heights", "r32"},
                                 {FIRN_ENTRY_HEIGHTS_JSON, "heights", "json"}};
static const format whole[] = {{FIRN_ENTRY_SERIES, "", "pvd"},
                               {FIRN_ENTRY_COLLIDERS, "colliders/", "glb"},
                               {FIRN_ENTRY_STAGE, "", "usda"}};

// Formats that this call has written: others may be there from an earlier one, and are listed.
static bool is_asked(const firn_export_def* def, firn_entry_kind kind)
{
    switch (kind) {
    case FIRN_ENTRY_PLY: return def->ply;
    case FIRN_ENTRY_VTP:
    case FIRN_ENTRY_SERIES: return def->vtp;
    case FIRN_ENTRY_VDB: return def->vdb || def->usd;
    case FIRN_ENTRY_SDF: return def->sdf;
    case FIRN_ENTRY_MESH_PLY: return def->mesh && def->mesh_format == FIRN_MESH_PLY;
    case FIRN_ENTRY_MESH_OBJ: return def->mesh && def->mesh_format == FIRN_MESH_OBJ;
    case FIRN_ENTRY_MESH_GLB: return def->mesh && def->mesh_format == FIRN_MESH_GLB;
    case FIRN_ENTRY_HEIGHTS_PNG:
    case FIRN_ENTRY_HEIGHTS_R32:
    case FIRN_ENTRY_HEIGHTS_JSON: return def->heights;
    case FIRN_ENTRY_COLLIDERS: return def->colliders;
    case FIRN_ENTRY_STAGE: return def->usd;
    default: return false;
    }
}

// Puts a file into the list if it is there.
static firn_result put(firn_manifest* m, const char* dir, firn_entry_kind kind, int64_t frame,
                       const char* file, firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, error, "%s/%s", dir, file));
    const bool missing = firn_file_is_missing(path);
    firn_free(path);
    firn_manifest_entry entry;
    if (missing) return FIRN_OK;
    FIRN_TRY(firn_manifest_measure(dir, kind, frame, file, &entry, error));
    return firn_manifest_put(m, dir, &entry, error);
}

static firn_result list(firn_manifest* m, const firn_export_def* def, const firn_cache_job* frames,
                        firn_error* error)
{
    const char* dir = def->input_dir;
    char stem[FIRN_STEM_BYTES], file[FIRN_ENTRY_BYTES];
    firn_path_stem(m->scene, stem);
    // the list grows while it is read: frames stay, in their order
    const firn_local count = m->count;
    int64_t* numbers = firn_alloc((size_t)count + 1, sizeof *numbers);
    if (numbers == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_local n = 0;
    for (firn_local k = 0; k < count; k++)
        if (firn_cache_job_wants(frames, &m->entries[k])) numbers[n++] = m->entries[k].frame;
    firn_result r = FIRN_OK;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (firn_local k = 0; k < n && r == FIRN_OK && is_asked(def, formats[f].kind); k++) {
            snprintf(file, sizeof file, "%s/%s.%04" PRId64 ".%s", formats[f].folder, stem,
                     numbers[k], formats[f].extension);
            r = put(m, dir, formats[f].kind, numbers[k], file, error);
        }
    for (size_t f = 0; f < sizeof whole / sizeof *whole && r == FIRN_OK; f++) {
        if (!is_asked(def, whole[f].kind)) continue;
        snprintf(file, sizeof file, "%s%s.%s", whole[f].folder, stem, whole[f].extension);
        r = put(m, dir, whole[f].kind, 0, file, error);
    }
    firn_free(numbers);
    return r;
}

firn_result firn_export_record(const firn_export_def* def, const firn_cache_job* frames,
                               firn_error* error)
{
    const firn_log log = {def->log, def->user};
    firn_run_lock lock;
    if (def->output_dir != NULL) return FIRN_OK;
    if (firn_run_lock_take(def->input_dir, &lock, error) != FIRN_OK) {
        firn_log_write(&log, FIRN_LOG_INFO, "export.not_listed",
                       "'%s' is being written: its manifest does not list these files, and "
                       "--overwrite will leave them there",
                       def->input_dir);
        return FIRN_OK;
    }
    firn_manifest m = {0};  // as it is now
    firn_result r = firn_manifest_read(def->input_dir, &m, error);
    if (r == FIRN_OK) {
        r = list(&m, def, frames, error);
        if (r == FIRN_OK) r = firn_manifest_write(def->input_dir, &m, error);
        firn_manifest_destroy(&m);
    }
    firn_run_lock_release(&lock);
    return r;
}
