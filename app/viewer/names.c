// SPDX-License-Identifier: MIT
// Unused file names.
#include "viewer/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NUMBERS 9999

bool view_name_reserve(const char* name, const char* extension, char* out_path, size_t size)
{
    char stem[160];
    snprintf(stem, sizeof stem, "%s", *name ? name : "firn");
    // replace characters that would name another folder or a hidden file
    for (char* c = stem; *c; c++)
        if (*c == '/' || (unsigned char)*c <= 0x20 || (c == stem && *c == '.')) *c = '-';
    for (int k = 1; k <= NUMBERS; k++) {
        const int length = snprintf(out_path, size, "%s-%04d.%s", stem, k, extension);
        if (length < 0 || (size_t)length >= size) {
            errno = ENAMETOOLONG;
            return false;
        }
        const int file = open(out_path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (file >= 0) return close(file) == 0;
        if (errno != EEXIST) return false;
    }
    return false;
}
