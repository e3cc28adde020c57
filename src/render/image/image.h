// SPDX-License-Identifier: MIT
// Pictures as bytes: 8 bits a channel, sRGB, and PNG files of them.
#pragma once
#include "core/result.h"

#define FIRN_IMAGE_SIDE_MAX 32768  // [pixels] refused beyond: 3 GB of bytes

typedef struct firn_image {
    int32_t width, height;  // [pixels]
    uint8_t* rgb;           // owned; [height][width][3], upper row first
} firn_image;

// A black picture. Refused: a side below 1 or over FIRN_IMAGE_SIDE_MAX.
firn_result firn_image_create(firn_image* image, int32_t width, int32_t height, firn_error* error);
void firn_image_destroy(firn_image* image);  // frees, zeroes the struct

// Written under a temporary name, then renamed: `path` is never half a picture. `effort` is zlib's
// level, 1 (quick) to 9 (small).
firn_result firn_png_write(const char* path, const firn_image* image, int effort,
                           firn_error* error);
// A note inside a PNG (an iTXt chunk), for people and for firn render --resume.
typedef struct firn_png_note {
    const char* name;   // 1 to 79 characters of ASCII
    const char* value;  // UTF-8
} firn_png_note;
// The same as firn_png_write, with notes.
firn_result firn_png_write_noted(const char* path, const firn_image* image, int effort,
                                 const firn_png_note* notes, int note_count, firn_error* error);
// The value of a note, owned by the caller; null: the picture has none of this name. Only what
// comes before the pixels is looked at. FIRN_REFUSED_IO: it cannot be opened; FIRN_REFUSED_DAMAGED:
// it is no PNG.
firn_result firn_png_read_note(const char* path, const char* name, char** out_value,
                               firn_error* error);
// Any PNG, brought to 8-bit RGB (alpha dropped). FIRN_REFUSED_DAMAGED when it is not a good one.
firn_result firn_png_read(const char* path, firn_image* out_image, firn_error* error);
