// SPDX-License-Identifier: MIT
// Removes an earlier run from its folder: the files that its manifest lists, as it lists them, and
// those that every run has. All else stays, whatever the manifest says: it may be somebody else's.
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/paths.h"
#include "run/run_folder.h"

// A file with another size or checksum is not what the run has written; it stays, with a warning.
static firn_result clear_entry(const firn_sim* sim, const firn_manifest_entry* entry,
                               firn_error* error)
{
    firn_error why = {0};
    if (entry->kind == FIRN_ENTRY_START && firn_run_folder_starts_from(sim, entry->file))
        return FIRN_OK;  // it is the new run's
    firn_result r = firn_manifest_verify(entry, sim->output_dir, &why);
    if (r == FIRN_OK) r = firn_file_remove_inside(sim->output_dir, entry->file, entry->bytes, &why);
    if (r == FIRN_OK) return FIRN_OK;
    if (r != FIRN_REFUSED_DAMAGED) return firn_fail(error, r, "%s", why.text);
    firn_log_write(&sim->log, FIRN_LOG_WARNING, "run.kept", "not removed: %s", why.text);
    return FIRN_OK;
}

// Removes a folder that firn has made, if it is empty now.
static void drop_folder(const char* dir, const char* name)
{
    char* path = NULL;
    if (firn_path_print(&path, NULL, "%s/%s", dir, name) == FIRN_OK) rmdir(path);
    firn_free(path);
}

firn_result firn_run_folder_clear(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    const firn_manifest* m = &folder->manifest;
    // checkpoints first: if this is interrupted, --resume must not continue what is half removed
    for (int pass = 0; pass < 2; pass++)
        for (firn_local k = 0; k < m->count; k++)
            if ((m->entries[k].kind == FIRN_ENTRY_CHECKPOINT) == (pass == 0))
                FIRN_TRY(clear_entry(sim, &m->entries[k], &sim->error));
    static const char* const files[] = {"stats.csv", "scene.yaml"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        FIRN_TRY(firn_file_remove_inside(sim->output_dir, files[k], FIRN_ANY_SIZE, &sim->error));
    for (size_t k = 0; firn_run_folders[k] != NULL; k++)
        drop_folder(sim->output_dir, firn_run_folders[k]);
    return FIRN_OK;
}
