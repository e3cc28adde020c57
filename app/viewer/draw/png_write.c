// SPDX-License-Identifier: MIT
// PNG files through libpng, written under a temporary name and renamed.
#include "viewer/draw/png_write.h"

#include <errno.h>
#include <limits.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

bool view_png_write(const char* path, int width, int height, const uint8_t* pixels)
{
    char temporary[PATH_MAX];
    if (snprintf(temporary, sizeof temporary, "%s.tmp", path) >= (int)sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE* file = fopen(temporary, "wb");
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
    if (!good) remove(temporary);
    errno = code;
    return good;
}
