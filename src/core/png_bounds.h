// SPDX-License-Identifier: MIT
// What a PNG file of a given size can hold. Both readers (geometry/sdf, render/image) check lengths
// that a file claims by these bounds: libpng allocates by them before it has read the bytes.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIRN_DEFLATE_RATIO_MAX 1032  // zlib's technical notes: no data shrinks more than 1032:1

// Chunks that neither reader uses, as png_set_keep_unknown_chunks takes them: text, profiles,
// palettes to choose from. Their contents may unpack to any size.
#define FIRN_PNG_UNUSED_CHUNKS "iCCP\0sPLT\0hIST\0eXIf\0tEXt\0zTXt\0iTXt"
enum { FIRN_PNG_UNUSED_COUNT = 7 };

// False: a block that libpng requests is larger than any chunk of the file, and larger than two
// rows of a million pixels, the widest that libpng accepts.
static inline bool firn_png_block_fits(size_t block, uint64_t file_bytes)
{
    return block <= file_bytes + ((uint64_t)17 << 20);
}

// False: the file is too small for so many pixels, at one bit each.
static inline bool firn_png_pixels_fit(uint32_t width, uint32_t height, uint64_t file_bytes)
{
    return (uint64_t)width * height / (8 * FIRN_DEFLATE_RATIO_MAX) <= file_bytes;
}
