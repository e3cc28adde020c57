// SPDX-License-Identifier: MIT
// Texture atlas of printable ASCII glyphs per font size, rendered by FreeType from a system font,
// or from the built-in one. Needs a current context.
#pragma once
#include <stdbool.h>

#include "viewer/gl/gl.h"

typedef struct font_atlas font_atlas;

typedef struct font_glyph {
    short x, y, width, height;  // [texels] in the texture
    short left, top;            // [pixels] of its box from the pen: to the right, and up
    short advance;              // [pixels] of the pen
} font_glyph;

typedef struct font_size {
    int pixels;  // height of a line
    int ascent;  // [pixels] from the top of the line to the baseline
    font_glyph glyphs[95];
} font_size;

// Null: out of memory. `builtin_only`: do not use system fonts.
font_atlas* font_atlas_create(bool builtin_only);
void font_atlas_destroy(font_atlas* atlas);
// Glyphs for this line height; borrowed until another size is requested. Never null.
const font_size* font_atlas_size(font_atlas* atlas, float pixels);
// The first TrueType file of those that the atlas looks for; null: none is installed.
const char* font_atlas_file(void);
// One channel: coverage.
GLuint font_atlas_texture(const font_atlas* atlas);
// Glyph of a character; "?" if not printable.
const font_glyph* font_size_glyph(const font_size* size, char character);
