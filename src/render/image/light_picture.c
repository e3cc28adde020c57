// SPDX-License-Identifier: MIT
// Chooses the reader of a picture of light.
#include "render/image/light_picture.h"

#include <string.h>

#include "core/input.h"

static const unsigned char exr_magic[4] = {0x76, 0x2f, 0x31, 0x01};

firn_result firn_light_picture_read(const char* path, firn_exr_picture* out_picture,
                                    firn_error* error)
{
    FILE* stream;
    unsigned char head[4] = {0};
    FIRN_TRY(firn_input_stream(path, &stream, NULL, error));
    const size_t got = fread(head, 1, sizeof head, stream);
    const bool failed = ferror(stream) != 0;
    fclose(stream);
    if (failed) return firn_fail(error, FIRN_REFUSED_IO, "cannot read the picture '%s'", path);
    if (got >= 2 && head[0] == '#' && head[1] == '?')
        return firn_hdr_read(path, out_picture, error);
    if (got == sizeof head && memcmp(head, exr_magic, sizeof head) == 0)
        return firn_exr_read(path, out_picture, error);
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "cannot use the picture '%s': it is neither OpenEXR (.exr) nor Radiance "
                     "(.hdr); convert it to one of them",
                     path);
}
