// SPDX-License-Identifier: MIT
// Texture atlas of glyphs.
#include "viewer/draw/font_atlas.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FIRN_HAVE_FREETYPE
#include <ft2build.h>
#include FT_FREETYPE_H
#endif

#include "viewer/draw/font_builtin.h"

#define SIDE 1024          // [texels] of the texture: fits some twenty sizes
#define SIZES_MAX 24       // when exceeded, the atlas is cleared
#define GLYPH_SIDE_MAX 96  // [pixels]
#define LINE_SMALLEST 9    // [pixels]
#define LINE_LARGEST 72

struct font_atlas {
    GLuint texture;
    int pen_x, pen_y, shelf;  // position of the next glyph, and height of its row [texels]
    int size_count;
    font_size sizes[SIZES_MAX];
#ifdef FIRN_HAVE_FREETYPE
    FT_Library library;
    FT_Face face;  // null: built-in font
#endif
};

static void clear_atlas(font_atlas* atlas)
{
    atlas->pen_x = atlas->pen_y = 1;
    atlas->shelf = 0;
    atlas->size_count = 0;
}

// Copies a glyph into the texture with a border of one texel. False: the texture is full.
static bool place(font_atlas* atlas, font_glyph* glyph, const uint8_t* pixels)
{
    if (glyph->width == 0 || glyph->height == 0) return true;
    if (atlas->pen_x + glyph->width + 1 > SIDE) {
        atlas->pen_x = 1;
        atlas->pen_y += atlas->shelf + 1;
        atlas->shelf = 0;
    }
    if (atlas->pen_y + glyph->height + 1 > SIDE) return false;
    glyph->x = (short)atlas->pen_x;
    glyph->y = (short)atlas->pen_y;
    atlas->pen_x += glyph->width + 1;
    if (glyph->height > atlas->shelf) atlas->shelf = glyph->height;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, glyph->x, glyph->y, glyph->width, glyph->height, GL_RED,
                    GL_UNSIGNED_BYTE, pixels);
    return true;
}

// Paths of DejaVu in common distributions, and of other common fonts.
static const char* const paths[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/local/share/fonts/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"};

const char* font_atlas_file(void)
{
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++)
        if (access(paths[k], R_OK) == 0) return paths[k];
    return NULL;
}

#ifdef FIRN_HAVE_FREETYPE
static void open_font(font_atlas* atlas)
{
    if (FT_Init_FreeType(&atlas->library) != 0) {
        atlas->library = NULL;
        return;
    }
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++)
        if (FT_New_Face(atlas->library, paths[k], 0, &atlas->face) == 0) {
            if (FT_IS_SCALABLE(atlas->face)) return;
            FT_Done_Face(atlas->face);
            atlas->face = NULL;
        }
    atlas->face = NULL;
}

static void close_font(font_atlas* atlas)
{
    if (atlas->library != NULL) FT_Done_FreeType(atlas->library);  // also frees its faces
}

// Sets the em size for a line height of `pixels`. Light hinting moves outlines vertically only, so
// that glyphs keep their width and are sharp at the baseline.
static bool start_font(font_atlas* atlas, font_size* size)
{
    if (atlas->face == NULL) return false;
    const FT_Face face = atlas->face;
    const double em = (double)size->pixels * face->units_per_EM / face->height;
    if (FT_Set_Char_Size(face, 0, (FT_F26Dot6)(em * 64), 72, 72) != 0) return false;
    const double above = em * face->ascender / face->units_per_EM;
    size->ascent = (int)floor(above + 0.5);
    return true;
}

static bool draw_letter(font_atlas* atlas, char character, font_glyph* glyph, uint8_t* pixels)
{
    const FT_Face face = atlas->face;
    if (FT_Load_Char(face, (FT_ULong)character, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0)
        return false;
    const FT_Bitmap* map = &face->glyph->bitmap;
    if (map->width > GLYPH_SIDE_MAX || map->rows > GLYPH_SIDE_MAX || map->pitch < 0) return false;
    glyph->width = (short)map->width;
    glyph->height = (short)map->rows;
    glyph->left = (short)face->glyph->bitmap_left;
    glyph->top = (short)face->glyph->bitmap_top;
    glyph->advance = (short)((face->glyph->advance.x + 32) >> 6);
    for (unsigned row = 0; row < map->rows; row++)
        memcpy(pixels + row * map->width, map->buffer + (size_t)row * (size_t)map->pitch,
               map->width);
    return true;
}
#else
static void open_font(font_atlas* atlas)
{
    (void)atlas;
}

static void close_font(font_atlas* atlas)
{
    (void)atlas;
}

static bool start_font(font_atlas* atlas, font_size* size)
{
    (void)atlas, (void)size;
    return false;
}

static bool draw_letter(font_atlas* atlas, char character, font_glyph* glyph, uint8_t* pixels)
{
    (void)atlas, (void)character, (void)glyph, (void)pixels;
    return false;
}
#endif

// Scales a glyph of the built-in font by an integer factor.
static void draw_builtin(const font_size* size, char character, font_glyph* glyph, uint8_t* pixels)
{
    const int side =
        size->pixels / (FONT_BUILTIN_HEIGHT + 2) > 1 ? size->pixels / (FONT_BUILTIN_HEIGHT + 2) : 1;
    const uint8_t* rows = font_builtin_rows(character);
    glyph->width = (short)(FONT_BUILTIN_WIDTH * side);
    glyph->height = (short)(FONT_BUILTIN_HEIGHT * side);
    glyph->left = 0;
    glyph->top = (short)(7 * side);
    glyph->advance = (short)((FONT_BUILTIN_WIDTH + 1) * side);
    for (int y = 0; y < glyph->height; y++)
        for (int x = 0; x < glyph->width; x++) {
            const bool set = (rows[y / side] >> (FONT_BUILTIN_WIDTH - 1 - x / side) & 1) != 0;
            pixels[y * glyph->width + x] = set ? 255 : 0;
        }
}

// False: the texture is full.
static bool draw_size(font_atlas* atlas, font_size* size, int pixels)
{
    uint8_t letter[GLYPH_SIDE_MAX * GLYPH_SIDE_MAX];
    *size = (font_size){.pixels = pixels, .ascent = (8 * pixels) / (FONT_BUILTIN_HEIGHT + 2)};
    const bool font = start_font(atlas, size);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, atlas->texture);
    for (int k = 0; k < 95; k++) {
        font_glyph* glyph = &size->glyphs[k];
        if (!font || !draw_letter(atlas, (char)(' ' + k), glyph, letter))
            draw_builtin(size, (char)(' ' + k), glyph, letter);
        if (!place(atlas, glyph, letter)) return false;
    }
    return true;
}

font_atlas* font_atlas_create(bool builtin_only)
{
    font_atlas* atlas = calloc(1, sizeof *atlas);
    if (atlas == NULL) return NULL;
    glActiveTexture(GL_TEXTURE0);
    glGenTextures(1, &atlas->texture);
    glBindTexture(GL_TEXTURE_2D, atlas->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, SIDE, SIDE, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    clear_atlas(atlas);
    if (!builtin_only) open_font(atlas);
    return atlas;
}

void font_atlas_destroy(font_atlas* atlas)
{
    if (atlas == NULL) return;
    close_font(atlas);
    glDeleteTextures(1, &atlas->texture);
    free(atlas);
}

const font_size* font_atlas_size(font_atlas* atlas, float pixels)
{
    const int line = pixels > LINE_SMALLEST
                         ? (pixels < LINE_LARGEST ? (int)(pixels + 0.5f) : LINE_LARGEST)
                         : LINE_SMALLEST;  // also for NaN
    for (int k = 0; k < atlas->size_count; k++)
        if (atlas->sizes[k].pixels == line) return &atlas->sizes[k];
    if (atlas->size_count == SIZES_MAX) clear_atlas(atlas);
    if (!draw_size(atlas, &atlas->sizes[atlas->size_count], line)) {
        clear_atlas(atlas);
        draw_size(atlas, &atlas->sizes[0], line);  // one size always fits
    }
    return &atlas->sizes[atlas->size_count++];
}

GLuint font_atlas_texture(const font_atlas* atlas)
{
    return atlas->texture;
}

const font_glyph* font_size_glyph(const font_size* size, char character)
{
    return &size->glyphs[character >= ' ' && character <= '~' ? character - ' ' : '?' - ' '];
}
