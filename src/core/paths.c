// SPDX-License-Identifier: MIT
// Names of files.
#include "core/paths.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

firn_result firn_path_print(char** out_path, firn_error* error, const char* format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char* path = length < 0 ? NULL : firn_alloc((size_t)length + 1, 1);
    if (path != NULL) vsnprintf(path, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    if (path == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a path");
    if (length < PATH_MAX) {
        *out_path = path;
        return FIRN_OK;
    }
    firn_fail(error, FIRN_REFUSED_IO,
              "the path '%.200s…' is too long (%d bytes, at most %d): choose a shorter one", path,
              length, PATH_MAX - 1);
    firn_free(path);
    return FIRN_REFUSED_IO;
}

char* firn_path_folder(const char* path)
{
    const char* slash = strrchr(path, '/');
    if (slash == NULL) return firn_strdup(".");
    return firn_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

bool firn_path_is_inside(const char* file)
{
    if (file[0] == '\0' || file[0] == '/') return false;
    const char* part = file;
    for (const char* c = file;; c++) {
        if (*c != '/' && *c != '\0') {
            if ((unsigned char)*c < 0x20 || *c == 0x7f) return false;
            continue;
        }
        const size_t length = (size_t)(c - part);
        if (length == 0 || (length == 1 && part[0] == '.')) return false;
        if (length == 2 && part[0] == '.' && part[1] == '.') return false;
        if (*c == '\0') return true;
        part = c + 1;
    }
}

void firn_path_stem(const char* name, char out_stem[FIRN_STEM_BYTES])
{
    size_t length = strlen(name);
    if (length == 0) {
        strcpy(out_stem, "run");
        return;
    }
    if (length >= FIRN_STEM_BYTES) {
        length = FIRN_STEM_BYTES - 1;
        // not in the middle of a character: its bytes after the first are 10xxxxxx
        while (length > 1 && ((unsigned char)name[length] & 0xc0) == 0x80) length--;
    }
    for (size_t k = 0; k < length; k++) {
        const unsigned char c = (unsigned char)name[k];
        const bool bad = c < 0x20 || c == 0x7f || c == '/' || (k == 0 && c == '.');
        out_stem[k] = bad ? '_' : name[k];
    }
    out_stem[length] = '\0';
}
