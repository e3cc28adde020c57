// SPDX-License-Identifier: MIT
// Targets png, exr (.hdr, too) and font: pictures and letters, through libpng, OpenEXRCore and
// FreeType.
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/memory.h"
#include "fuzz/fuzz.h"
#include "geometry/sdf/shape.h"
#include "geometry/text/text_shape.h"
#include "render/image/image.h"
#include "render/image/light_picture.h"
#include "render/path/environment.h"

#define DEFLATE_RATIO 1100  // zlib reaches 1032; pictures are mostly one deflated block
#define LETTERS_CAP ((uint64_t)192 << 20)  // [bytes] level set of the largest letters accepted
#define PIXEL_RATIO 12  // [bytes] of memory per byte before compression: 1 to 3 floats

static uint64_t picture_cap(size_t size)
{
    return FIRN_FUZZ_BASE + (uint64_t)size * DEFLATE_RATIO * PIXEL_RATIO;
}

static uint32_t read_big_endian(const uint8_t* b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

// Corrects the checksums of all chunks: signature of 8 bytes, then length, type, data, checksum.
static void seal_png(uint8_t* png, size_t size)
{
    size_t at = 8;
    while (at <= size && size - at >= 12) {
        const size_t length = read_big_endian(png + at);
        if (length > size - at - 12) break;
        const uint32_t sum = (uint32_t)crc32(0, png + at + 4, (uInt)(length + 4));
        for (int k = 0; k < 4; k++)
            png[at + 8 + length + (size_t)k] = (uint8_t)(sum >> (24 - 8 * k));
        at += 12 + length;
    }
}

static bool read_height_field(const char* path)
{
    firn_shapes shapes = {0};
    firn_local shape;
    firn_error error;
    const firn_result result = firn_shapes_add_png_field(&shapes, firn_v3(0, 0, 0),
                                                         firn_v3(1, 1, 1), path, &shape, &error);
    firn_fuzz_check(result, &error);
    firn_shapes_destroy(&shapes);
    return result == FIRN_OK;
}

bool firn_fuzz_png(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(picture_cap(size));
    uint8_t* file = (uint8_t*)firn_fuzz_copy(data, size);
    seal_png(file, size);
    const char* path = firn_fuzz_file("png", file, size);
    firn_image image = {0}, again = {0};
    firn_error error;
    const firn_result parsed = firn_png_parse("fuzz", file, size, &again, &error);
    firn_fuzz_check(parsed, &error);
    firn_image_destroy(&again);
    free(file);
    firn_result result = firn_png_read(path, &image, &error);
    firn_fuzz_check(result, &error);
    firn_fuzz_require(parsed == result, "a picture in memory is read as no file is");
    firn_image_destroy(&image);
    char* note = NULL;
    result = firn_png_read_note(path, "firn.settings", &note, &error);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) firn_free(note);
    const bool accepted = read_height_field(path);
    firn_fuzz_end(&run);
    return accepted;
}

bool firn_fuzz_exr(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(picture_cap(size));
    firn_exr_picture picture = {0};
    firn_error error;
    firn_result result =
        firn_light_picture_read(firn_fuzz_file("exr", data, size), &picture, &error);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK && (int64_t)picture.width * picture.height < 1 << 20) {
        firn_environment sky = {0};
        result = firn_environment_create(&sky, (const firn_rgb*)picture.rgb, picture.width,
                                         picture.height, 0, &error);
        firn_fuzz_check(result, &error);
        firn_environment_destroy(&sky);
    }
    firn_exr_picture_destroy(&picture);
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}

bool firn_fuzz_font(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(LETTERS_CAP);
    const firn_text_def def = {.text = "AVg&\nfi 8\xc3\xa4",
                               .font = firn_fuzz_file("ttf", data, size),
                               .size = 0.3,
                               .depth = 0.1,
                               .line_height = 1,
                               .align = FIRN_ALIGN_CENTER,
                               .voxel = 0.0375};
    const firn_level_set* set = NULL;
    firn_error error;
    const firn_result result = firn_level_set_from_text(&def, &set, &error);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) firn_level_set_release(set);
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}
