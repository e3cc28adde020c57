// SPDX-License-Identifier: MIT
// 8-bit sRGB images and their PNG files.
#pragma once
#include "core/result.h"

#define FIRN_IMAGE_SIDE_MAX 32768  // [pixels] larger pictures are refused: 3 GB

typedef struct firn_image {
    int32_t width, height;  // [pixels]
    uint8_t* rgb;           // owned; [height][width][3], top row first
} firn_image;

// Creates a black picture. Refused: a side below 1 or over FIRN_IMAGE_SIDE_MAX.
firn_result firn_image_create(firn_image* image, int32_t width, int32_t height, firn_error* error);
void firn_image_destroy(firn_image* image);  // frees, zeroes the struct

// Written under a temporary name, then renamed: `path` is never incomplete. `effort` is the zlib
// level, 1 (fast) to 9 (small).
firn_result firn_png_write(const char* path, const firn_image* image, int effort,
                           firn_error* error);
// A text field of a PNG (iTXt chunk), for users and for firn render --resume.
typedef struct firn_png_note {
    const char* name;   // 1 to 79 characters of ASCII
    const char* value;  // UTF-8
} firn_png_note;
// firn_png_write with text fields.
firn_result firn_png_write_noted(const char* path, const firn_image* image, int effort,
                                 const firn_png_note* notes, int note_count, firn_error* error);
// Value of a text field, owned by the caller; null: there is none of this name. Only chunks before
// the pixels are read. FIRN_REFUSED_IO: the file cannot be opened; FIRN_REFUSED_DAMAGED: it is not
// a PNG.
firn_result firn_png_read_note(const char* path, const char* name, char** out_value,
                               firn_error* error);
// Reads any PNG as 8-bit RGB (alpha dropped). FIRN_REFUSED_DAMAGED if it is damaged.
firn_result firn_png_read(const char* path, firn_image* out_image, firn_error* error);
// The same from memory; `name` stands in messages.
firn_result firn_png_parse(const char* name, const void* bytes, size_t size, firn_image* out_image,
                           firn_error* error);
