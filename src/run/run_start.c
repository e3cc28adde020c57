// SPDX-License-Identifier: MIT
// Point files that a run starts from (start_from.c), where they lie in its own folder.
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "run/run_folder.h"
#include "scene/data/snow.h"

// The rest of `path` after `folder` and a slash; null where it is elsewhere. Both are absolute.
static const char* below(const char* folder, const char* path)
{
    const size_t n = strlen(folder);
    return strncmp(folder, path, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

// The file of snow k, relative to the run's folder, or null: it is not one of the run's own.
// Borrowed from *out_path, which libc owns.
static const char* start_file(const firn_sim* sim, firn_local k, char** out_path)
{
    *out_path = NULL;
    const char* file = sim->scene.snow[k].file;
    if (file == NULL) return NULL;
    char* folder = realpath(sim->output_dir, NULL);
    *out_path = realpath(file, NULL);
    const char* rest = folder != NULL && *out_path != NULL ? below(folder, *out_path) : NULL;
    free(folder);
    return rest != NULL && below(FIRN_RUN_START, rest) != NULL ? rest : NULL;
}

bool firn_run_folder_starts_from(const firn_sim* sim, const char* file)
{
    bool found = false;
    for (firn_local k = 0; k < sim->scene.snow_count && !found; k++) {
        char* path;
        const char* own = start_file(sim, k, &path);
        found = own != NULL && strcmp(own, file) == 0;
        free(path);
    }
    return found;
}

firn_result firn_run_folder_list_start(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    firn_result r = FIRN_OK;
    for (firn_local k = 0; k < sim->scene.snow_count && r == FIRN_OK; k++) {
        char* path;
        const char* own = start_file(sim, k, &path);
        if (own != NULL)
            r = firn_manifest_add(&folder->manifest, sim->output_dir, FIRN_ENTRY_START, k, own,
                                  &sim->error);
        free(path);
    }
    return r;
}

static bool is_listed(const firn_manifest* m, const char* file)
{
    for (firn_local k = 0; k < m->count; k++)
        if (strcmp(m->entries[k].file, file) == 0) return true;
    return false;
}

void firn_run_folder_drop_start(const firn_run_folder* folder)
{
    const firn_sim* sim = folder->sim;
    firn_error ignored;  // the refusal is what counts
    for (firn_local k = 0; k < sim->scene.snow_count; k++) {
        char* path;
        const char* own = start_file(sim, k, &path);
        if (own != NULL && !is_listed(&folder->manifest, own))
            (void)firn_file_remove_inside(sim->output_dir, own, FIRN_ANY_SIZE, &ignored);
        free(path);
    }
}
