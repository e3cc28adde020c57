// SPDX-License-Identifier: MIT
// Fonts through FreeType, with firn's allocator.
#include "geometry/text/font_face.h"

#include <math.h>

#ifdef FIRN_HAVE_FREETYPE
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_OUTLINE_H
#include FT_SYSTEM_H
#include FT_TRUETYPE_TABLES_H

#include "core/file.h"
#include "core/memory.h"

#define FILE_MAX ((size_t)256 << 20)  // [bytes] the largest fonts (Chinese) have about 40 MB

struct firn_font_face {
    struct FT_MemoryRec_ memory;
    FT_Library library;
    FT_Face face;
    char* data;    // owned: the file
    char* path;    // owned, for messages
    bool starved;  // an allocation failed: FreeType does not always report it
};

static void* allocate(FT_Memory memory, long size)
{
    void* block = firn_alloc((size_t)size, 1);
    if (block == NULL) ((firn_font_face*)memory->user)->starved = true;
    return block;
}

static void release(FT_Memory memory, void* block)
{
    (void)memory;
    firn_free(block);
}

static void* reallocate(FT_Memory memory, long old_size, long new_size, void* block)
{
    void* moved = firn_realloc(block, (size_t)old_size, (size_t)new_size, 1);
    if (moved == NULL) ((firn_font_face*)memory->user)->starved = true;
    return moved;
}

static firn_result refuse(const firn_font_face* face, FT_Error code, const char* what,
                          firn_error* error)
{
    const char* path = face->path;
    if (face->starved || code == FT_Err_Out_Of_Memory)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the font '%.300s'", path);
    return firn_fail(error, FIRN_REFUSED_SCENE, "'%.300s': %s (FreeType's error %d)", path, what,
                     (int)code);
}

static firn_result open_face(firn_font_face* face, const char* path, firn_error* error)
{
    size_t bytes;
    face->path = firn_strdup(path);
    if (face->path == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the font '%.300s'", path);
    FIRN_TRY(firn_file_read(path, FILE_MAX, &face->data, &bytes, error));
    face->memory = (struct FT_MemoryRec_){face, allocate, release, reallocate};
    FT_Error code = FT_New_Library(&face->memory, &face->library);
    if (code == 0) {
        FT_Add_Default_Modules(face->library);
        code = FT_New_Memory_Face(face->library, (const FT_Byte*)face->data, (FT_Long)bytes, 0,
                                  &face->face);
    }
    if (code == 0 && !face->starved) code = FT_Select_Charmap(face->face, FT_ENCODING_UNICODE);
    if (code != 0 || face->starved)
        return refuse(face, code,
                      code == FT_Err_Invalid_CharMap_Handle ? "this font knows no Unicode"
                                                            : "not a font that can be read",
                      error);
    if (!FT_IS_SCALABLE(face->face))
        return refuse(face, 0, "this font is made of pixels; take one with outlines", error);
    return FIRN_OK;
}

firn_result firn_font_face_open(const char* path, firn_font_face** out_face, firn_error* error)
{
    firn_font_face* face = firn_alloc(1, sizeof *face);
    if (face == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the font '%.300s'", path);
    const firn_result result = open_face(face, path, error);
    if (result != FIRN_OK) {
        firn_font_face_close(face);
        return result;
    }
    *out_face = face;
    return FIRN_OK;
}

void firn_font_face_close(firn_font_face* face)
{
    if (face == NULL) return;
    if (face->library != NULL) FT_Done_Library(face->library);  // frees its faces too
    firn_free(face->data);
    firn_free(face->path);
    firn_free(face);
}

static FT_Error load(const firn_font_face* face, uint32_t glyph)
{
    return FT_Load_Glyph(face->face, glyph, FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP);
}

// Fonts without an OS/2 table of version 2 do not give the cap height: measure an H.
static double capital_height(const firn_font_face* face)
{
    const TT_OS2* os2 = FT_Get_Sfnt_Table(face->face, FT_SFNT_OS2);
    if (os2 != NULL && os2->version >= 2 && os2->sCapHeight > 0) return os2->sCapHeight;
    const FT_UInt h = FT_Get_Char_Index(face->face, 'H');
    if (h != 0 && load(face, h) == 0) {
        FT_BBox box;
        FT_Outline_Get_CBox(&face->face->glyph->outline, &box);
        if (box.yMax > 0) return (double)box.yMax;
    }
    return 0.7 * face->face->units_per_EM;  // typical for Latin letters
}

firn_font_metrics firn_font_face_metrics(const firn_font_face* face)
{
    const double em = face->face->units_per_EM > 0 ? face->face->units_per_EM : 1000;
    const double line = face->face->height > 0 ? face->face->height : 1.2 * em;
    const double capital = capital_height(face);
    return (firn_font_metrics){capital > 0 ? capital : 0.7 * em, line};
}

uint32_t firn_font_face_glyph(const firn_font_face* face, uint32_t character)
{
    return FT_Get_Char_Index(face->face, character);
}

double firn_font_face_kerning(const firn_font_face* face, uint32_t left, uint32_t right)
{
    FT_Vector between = {0, 0};
    if (FT_HAS_KERNING(face->face))
        FT_Get_Kerning(face->face, left, right, FT_KERNING_UNSCALED, &between);
    return (double)between.x;
}

firn_result firn_font_face_advance(const firn_font_face* face, uint32_t glyph, double* out_advance,
                                   double* out_extent, firn_error* error)
{
    const FT_Error code = load(face, glyph);
    if (code != 0) return refuse(face, code, "a damaged letter", error);
    *out_advance = (double)face->face->glyph->metrics.horiAdvance;
    FT_BBox box;
    FT_Outline_Get_CBox(&face->face->glyph->outline, &box);
    *out_extent =
        fmax(fmax(-(double)box.xMin, (double)box.xMax), fmax(-(double)box.yMin, (double)box.yMax));
    return FIRN_OK;
}

// ---- drawing ------------------------------------------------------------------------------------

typedef struct drawing {
    firn_outline* outline;
    double x, y, scale;
} drawing;

static void to_outline(const drawing* d, const FT_Vector* from, double to[2])
{
    to[0] = d->x + d->scale * (double)from->x;
    to[1] = d->y + d->scale * (double)from->y;
}

static int move_to(const FT_Vector* to, void* user)
{
    const drawing* d = user;
    double p[2];
    to_outline(d, to, p);
    firn_outline_move(d->outline, p[0], p[1]);
    return 0;
}

static int line_to(const FT_Vector* to, void* user)
{
    const drawing* d = user;
    double p[2];
    to_outline(d, to, p);
    firn_outline_line(d->outline, p[0], p[1]);
    return 0;
}

static int conic_to(const FT_Vector* control, const FT_Vector* to, void* user)
{
    const drawing* d = user;
    double c[2], p[2];
    to_outline(d, control, c);
    to_outline(d, to, p);
    firn_outline_conic(d->outline, c, p);
    return 0;
}

static int cubic_to(const FT_Vector* control_a, const FT_Vector* control_b, const FT_Vector* to,
                    void* user)
{
    const drawing* d = user;
    double a[2], b[2], p[2];
    to_outline(d, control_a, a);
    to_outline(d, control_b, b);
    to_outline(d, to, p);
    firn_outline_cubic(d->outline, a, b, p);
    return 0;
}

firn_result firn_font_face_draw(const firn_font_face* face, uint32_t glyph, const double origin[2],
                                double scale, firn_outline* outline, firn_error* error)
{
    static const FT_Outline_Funcs steps = {move_to, line_to, conic_to, cubic_to, 0, 0};
    drawing d = {outline, origin[0], origin[1], scale};
    FT_Error code = load(face, glyph);
    if (code == 0) code = FT_Outline_Decompose(&face->face->glyph->outline, &steps, &d);
    if (code != 0) return refuse(face, code, "a damaged letter", error);
    if (outline->failed)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the outline of a letter");
    return FIRN_OK;
}

#else  // without FreeType only the message below is used

firn_result firn_font_face_open(const char* path, firn_font_face** out_face, firn_error* error)
{
    (void)path;
    (void)out_face;
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "this firn was built without FreeType, which words need: install "
                     "libfreetype-dev and build libfirn again (libfirn-core never has it)");
}

void firn_font_face_close(firn_font_face* face)
{
    (void)face;
}

firn_font_metrics firn_font_face_metrics(const firn_font_face* face)
{
    (void)face;
    return (firn_font_metrics){1, 1};
}

uint32_t firn_font_face_glyph(const firn_font_face* face, uint32_t character)
{
    (void)face;
    (void)character;
    return 0;
}

double firn_font_face_kerning(const firn_font_face* face, uint32_t left, uint32_t right)
{
    (void)face;
    (void)left;
    (void)right;
    return 0;
}

firn_result firn_font_face_advance(const firn_font_face* face, uint32_t glyph, double* out_advance,
                                   double* out_extent, firn_error* error)
{
    (void)face;
    (void)glyph;
    (void)out_advance;
    (void)out_extent;
    return firn_font_face_open(NULL, NULL, error);
}

firn_result firn_font_face_draw(const firn_font_face* face, uint32_t glyph, const double origin[2],
                                double scale, firn_outline* outline, firn_error* error)
{
    (void)origin;
    (void)scale;
    (void)outline;
    return firn_font_face_advance(face, glyph, NULL, NULL, error);
}
#endif
