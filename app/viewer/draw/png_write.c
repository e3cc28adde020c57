// SPDX-License-Identifier: MIT
// PNG files through libpng, written under a temporary name and renamed.
#include "viewer/draw/png_write.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPTS 100  // names that are tried

// Uses libpng's simplified API, which does not report errno values of its own.
static bool write_to(FILE* file, int width, int height, const uint8_t* pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    errno = 0;
    if (png_image_write_to_stdio(&image, file, 0, pixels, 0, NULL) && fflush(file) == 0 &&
        fsync(fileno(file)) == 0)
        return true;
    if (errno == 0) errno = width > 0 && height > 0 ? ENOMEM : EINVAL;
    return false;
}

// The path of a new file beside `path`, owned by the caller, and its stream. Exclusive: what
// somebody has put there is not written through.
static FILE* create_beside(const char* path, char** out_temporary)
{
    const char* slash = strrchr(path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1, size = folder + 64;
    char* temporary = malloc(size);
    int file = -1;
    errno = temporary == NULL ? ENOMEM : EEXIST;
    for (int k = 0; k < ATTEMPTS && file < 0 && errno == EEXIST; k++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(temporary, size, "%.*s.firn-view-%ld-%lx.tmp", (int)folder, path, (long)getpid(),
                 (unsigned long)now.tv_nsec);
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    FILE* stream = file < 0 ? NULL : fdopen(file, "wb");
    const int code = errno;
    if (stream == NULL && file >= 0) {
        close(file);
        unlink(temporary);
    }
    if (stream == NULL) free(temporary);
    *out_temporary = temporary;
    errno = code;
    return stream;
}

bool view_png_write(const char* path, int width, int height, const uint8_t* pixels)
{
    char* temporary;
    FILE* file = create_beside(path, &temporary);
    if (file == NULL) return false;
    bool good = write_to(file, width, height, pixels);
    int code = errno;
    if (fclose(file) != 0 && good) {
        good = false;
        code = errno;
    }
    if (good && rename(temporary, path) != 0) {
        good = false;
        code = errno;
    }
    if (!good) unlink(temporary);
    free(temporary);
    errno = code;
    return good;
}
