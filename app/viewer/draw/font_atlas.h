// SPDX-License-Identifier: MIT
// Printable ASCII letters as pixels of one texture, at each size that is asked for: drawn by
// FreeType from a font of this machine, or else the built-in ones. Needs a current context.
#pragma once
#include <stdbool.h>

#include "viewer/draw/gl.h"

typedef struct font_atlas font_atlas;

typedef struct font_glyph {
    short x, y, width, height;  // [texels] in the texture
    short left, top;            // [pixels] of its box from the pen: to the right, and up
    short advance;              // [pixels] of the pen
} font_glyph;

typedef struct font_size {
    int pixels;  // height of a line
    int ascent;  // [pixels] from a line's top to its letters' foot
    font_glyph glyphs[95];
} font_size;

// Null: memory is out. `builtin_only`: as on a machine without fonts.
font_atlas* font_atlas_create(bool builtin_only);
void font_atlas_destroy(font_atlas* atlas);
// Letters for lines of this height; borrowed until another size is asked for. Never null.
const font_size* font_atlas_size(font_atlas* atlas, float pixels);
// Of one channel: how much of a texel is covered.
GLuint font_atlas_texture(const font_atlas* atlas);
// The letter of a character; one that is not there is "?".
const font_glyph* font_size_glyph(const font_size* size, char character);
