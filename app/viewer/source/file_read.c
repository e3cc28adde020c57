// SPDX-License-Identifier: MIT
// Reads a small text file.
#define _GNU_SOURCE  // asprintf
#include "viewer/source/file_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES_MAX (64u << 20)

char* view_file_read(const char* folder, const char* name)
{
    char* path = NULL;
    char* text = NULL;
    if (!folder || asprintf(&path, "%s/%s", folder, name) < 0) return NULL;
    FILE* file = fopen(path, "rb");
    free(path);
    if (!file) return NULL;
    size_t used = 0, room = 1 << 14;
    for (;;) {
        char* more = realloc(text, room + 1);
        if (!more || room > BYTES_MAX) {
            free(more ? more : text);
            fclose(file);
            errno = ENOMEM;
            return NULL;
        }
        text = more;
        used += fread(text + used, 1, room - used, file);
        if (used < room) break;
        room *= 2;
    }
    text[used] = '\0';
    fclose(file);
    return text;
}
