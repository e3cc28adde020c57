// SPDX-License-Identifier: MIT
// A disk without room, and what a write must not leave behind.
#pragma once
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "firn_test.h"

// No file of this process may grow beyond `bytes`: writes fail as on a full disk, with EFBIG.
static inline void disk_limit(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, bytes == RLIM_INFINITY ? SIG_DFL : SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// The folder of a path has no temporary file.
static inline void disk_no_temporary(const char* path)
{
    const char* slash = strrchr(path, '/');
    char* folder = slash != NULL ? strndup(path, (size_t)(slash - path)) : strdup(".");
    DIR* list = opendir(folder);
    assert_non_null(list);
    for (const struct dirent* e; (e = readdir(list)) != NULL;) {
        const size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".tmp") == 0)
            fail_msg("'%s' is left in '%s'", e->d_name, folder);
    }
    closedir(list);
    free(folder);
}
