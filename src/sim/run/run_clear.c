// SPDX-License-Identifier: MIT
// Removes an earlier run from its folder: only files that firn has written.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/run/run_folder.h"

// Removes files of `dir` that begin with "NAME.".
static firn_result clear_folder(const char* dir, const char* name, firn_error* error)
{
    DIR* d = opendir(dir);
    if (d == NULL) return FIRN_OK;
    firn_result r = FIRN_OK;
    const size_t length = strlen(name);
    for (struct dirent* e = readdir(d); e != NULL && r == FIRN_OK; e = readdir(d)) {
        if (strncmp(e->d_name, name, length) != 0 || e->d_name[length] != '.') continue;
        char path[1700];
        const int written = snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (written >= (int)sizeof path) continue;  // too long to be one of firn's
        if (unlink(path) != 0)
            r = firn_fail(error, FIRN_REFUSED_IO, "cannot remove '%s': %s", path, strerror(errno));
    }
    closedir(d);
    if (r == FIRN_OK) rmdir(dir);  // fails if there are other files in it
    return r;
}

firn_result firn_run_folder_clear(const char* dir, const char* name, firn_error* error)
{
    char path[1400];
    // the manifest first: without it the folder counts as empty
    static const char* const files[] = {"manifest.json", "scene.yaml", "stats.csv"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, "%s/%s", dir, files[k]);
        if (unlink(path) != 0 && errno != ENOENT)
            return firn_fail(error, FIRN_REFUSED_IO, "cannot remove '%s': %s", path,
                             strerror(errno));
    }
    if (name[0] == 0) return FIRN_OK;
    static const char* const endings[] = {"mp4", "sheet.png", "pvd"};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        snprintf(path, sizeof path, "%s/%s.%s", dir, name, endings[k]);
        unlink(path);
    }
    static const char* const folders[] = {"frames", "state", "preview", "ply", "vtp", "vdb"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        snprintf(path, sizeof path, "%s/%s", dir, folders[k]);
        FIRN_TRY(clear_folder(path, name, error));
    }
    return FIRN_OK;
}
