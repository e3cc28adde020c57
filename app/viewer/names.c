// SPDX-License-Identifier: MIT
// Unused file names.
#define _GNU_SOURCE  // asprintf
#include "viewer/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NUMBERS 9999

char* view_name_reserve(const char* name, const char* extension)
{
    for (int k = 1; k <= NUMBERS; k++) {
        char* path = NULL;
        if (asprintf(&path, "%s-%04d.%s", *name ? name : "firn", k, extension) < 0) return NULL;
        // replace characters that would name another folder or a hidden file
        for (char* c = path; *c; c++)
            if (*c == '/' || (unsigned char)*c <= 0x20 || *c == 0x7f || (c == path && *c == '.'))
                *c = '-';
        const int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (file >= 0 && close(file) == 0) return path;
        free(path);
        if (file >= 0 || errno != EEXIST) return NULL;
    }
    return NULL;
}
