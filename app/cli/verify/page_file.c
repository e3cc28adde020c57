// SPDX-License-Identifier: MIT
// A temporary file beside the path, flushed and renamed.
#include "cli/verify/page_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// mkstemp gives files that only their owner may read; a page gets what the user's mask allows.
static bool set_mode(int file)
{
    const mode_t mask = umask(0);
    umask(mask);
    return fchmod(file, 0666 & ~mask) == 0;
}

// Keeps the first reason of a failure in errno.
static bool put_and_close(FILE* stream, const char* text, bool sync)
{
    const bool good =
        fputs(text, stream) >= 0 && fflush(stream) == 0 && (!sync || fsync(fileno(stream)) == 0);
    const int code = errno;
    const bool closed = fclose(stream) == 0;
    if (!good) errno = code;
    return good && closed;
}

static bool write_draft(int file, const char* text)
{
    FILE* stream = set_mode(file) ? fdopen(file, "w") : NULL;
    if (stream != NULL) return put_and_close(stream, text, true);
    const int code = errno;
    close(file);
    errno = code;
    return false;
}

bool cli_page_file_write(const char* path, const char* text)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        FILE* stream = fopen(path, "w");
        return stream != NULL && put_and_close(stream, text, false);
    }
    const char* slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path) + 1;
    const size_t size = (size_t)folder + sizeof ".firn-page-XXXXXX";
    char* draft = malloc(size);
    if (draft == NULL) return false;
    snprintf(draft, size, "%.*s.firn-page-XXXXXX", folder, path);
    const int file = mkstemp(draft);
    const bool good = file >= 0 && write_draft(file, text) && rename(draft, path) == 0;
    const int code = errno;
    if (!good && file >= 0) unlink(draft);
    free(draft);
    errno = code;
    return good;
}
