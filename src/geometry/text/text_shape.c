// SPDX-License-Identifier: MIT
// Text layout, and its level set: 2D distances are computed once on the nodes of the xy plane;
// every layer of nodes along z combines them with its own depth.
#include "geometry/text/text_shape.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/text/font_face.h"
#include "geometry/text/font_file.h"
#include "math/elementary.h"
#include "math/vec3.h"

#define TEXT_MAX 10000         // [bytes] of a text
#define BAND 4                 // [voxels]
#define TOLERANCE 0.05         // [voxels] flattening error of the curves
#define NODES_MAX 268435456.0  // of the xy plane: a gigabyte
#define LETTER_MAX \
    32.0  // [capital heights] a letter's extent and advance; ligatures of whole
          // phrases reach 15

// ---- characters ---------------------------------------------------------------------------------

// Decodes one UTF-8 character at *at and advances; false when the bytes are invalid.
static bool next_character(const char** at, uint32_t* out_character)
{
    static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};  // smaller codes are overlong
    const unsigned char* byte = (const unsigned char*)*at;
    const int more = byte[0] < 0x80   ? 0
                     : byte[0] < 0xc0 ? -1
                     : byte[0] < 0xe0 ? 1
                     : byte[0] < 0xf0 ? 2
                     : byte[0] < 0xf8 ? 3
                                      : -1;
    if (more < 0) return false;
    uint32_t c = more == 0 ? byte[0] : byte[0] & (0x3fu >> more);
    for (int k = 1; k <= more; k++) {
        if ((byte[k] & 0xc0) != 0x80) return false;  // also at the end of the text
        c = c << 6 | (byte[k] & 0x3fu);
    }
    if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return false;
    *at += more + 1;
    *out_character = c;
    return true;
}

// State of the layout of a line.
typedef struct setting {
    const firn_text_def* def;
    const firn_font_face* face;
    double scale;           // [m] per font unit
    firn_outline* outline;  // null: only measure
    double x, y;            // [m] pen position
    uint32_t before;        // previous glyph, for kerning; 0: none
} setting;

// A damaged font would make a word as large as a city, and its level set gigabytes.
static firn_result check_letter(const setting* s, double extent, firn_error* error)
{
    if (fabs(s->scale * extent) <= LETTER_MAX * s->def->size) return FIRN_OK;
    return firn_fail(
        error, FIRN_REFUSED_SCENE,
        "text: in the font '%.200s' a letter measures %.3g times the height of capital "
        "letters, at most %g are taken: the font is damaged, choose another one",
        s->def->font, fabs(s->scale * extent) / s->def->size, LETTER_MAX);
}

static firn_result set_glyph(setting* s, uint32_t glyph, firn_error* error)
{
    double advance, kerning = 0, extent;
    FIRN_TRY(firn_font_face_advance(s->face, glyph, &advance, &extent, error));
    FIRN_TRY(check_letter(s, advance, error));
    FIRN_TRY(check_letter(s, extent, error));
    if (s->before != 0) kerning = firn_font_face_kerning(s->face, s->before, glyph);
    FIRN_TRY(check_letter(s, kerning, error));
    if (s->before != 0) s->x += s->scale * kerning + s->def->spacing;
    const double origin[2] = {s->x, s->y};
    if (s->outline != NULL)
        FIRN_TRY(firn_font_face_draw(s->face, glyph, origin, s->scale, s->outline, error));
    s->x += s->scale * advance;
    s->before = glyph;
    return FIRN_OK;
}

static firn_result set_character(setting* s, const char** at, firn_error* error)
{
    const char* begin = *at;
    uint32_t character;
    if (!next_character(at, &character))
        return firn_fail(error, FIRN_REFUSED_SCENE, "text: byte %lld is not UTF-8",
                         (long long)(begin - s->def->text));
    if (character == '\r') return FIRN_OK;  // Windows line end
    const uint32_t glyph = firn_font_face_glyph(s->face, character);
    if (glyph == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "text: the font '%.200s' has no '%.*s' (U+%04X); choose another font or "
                         "another word",
                         s->def->font, character < ' ' ? 0 : (int)(*at - begin), begin,
                         (unsigned)character);
    return set_glyph(s, glyph, error);
}

// Lays out from `text` to the end of its line; the pen stays at the end of the line.
static firn_result set_line(setting* s, const char* text, firn_error* error)
{
    s->before = 0;
    for (const char* at = text; *at != 0 && *at != '\n';) FIRN_TRY(set_character(s, &at, error));
    return FIRN_OK;
}

static firn_result set_text(const firn_text_def* def, const firn_font_face* face,
                            firn_outline* outline, firn_error* error)
{
    const firn_font_metrics metrics = firn_font_face_metrics(face);
    const double scale = def->size / metrics.capital;
    const double line = scale * metrics.line * def->line_height;
    const setting whole = {.def = def, .face = face, .scale = scale};
    FIRN_TRY(check_letter(&whole, metrics.line, error));
    const char* at = def->text;
    for (int k = 0; at != NULL; k++) {
        setting measured = {.def = def, .face = face, .scale = scale};
        FIRN_TRY(set_line(&measured, at, error));
        setting s = {.def = def, .face = face, .scale = scale, .outline = outline};
        s.x = def->align == FIRN_ALIGN_LEFT     ? 0
              : def->align == FIRN_ALIGN_CENTER ? -measured.x / 2
                                                : -measured.x;
        s.y = -line * k;
        FIRN_TRY(set_line(&s, at, error));
        at = strchr(at, '\n');
        if (at != NULL) at++;
    }
    FIRN_TRY(firn_outline_finish(outline, error));
    if (outline->edge_count == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE, "text: nothing of it can be seen");
    return FIRN_OK;
}

// ---- numbers ------------------------------------------------------------------------------------

// The negated comparison also catches NaN.
static firn_result check(const char* what, double value, double low, double high, firn_error* error)
{
    if (value >= low && value <= high) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_ARGUMENT, "text: %s is %g, must be between %g and %g",
                     what, value, low, high);
}

static firn_result check_def(const firn_text_def* def, firn_error* error)
{
    if (def->text == NULL || def->text[0] == 0 || strlen(def->text) > TEXT_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "text: it has %zu bytes, must have 1 to %d",
                         def->text == NULL ? (size_t)0 : strlen(def->text), TEXT_MAX);
    if (def->font == NULL || def->font[0] == 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "text: it needs a font");
    FIRN_TRY(check("its size", def->size, 1e-4, 1e4, error));
    FIRN_TRY(check("its depth", def->depth, 1e-4, 1e4, error));
    FIRN_TRY(check("its spacing", def->spacing, -1e4, 1e4, error));
    FIRN_TRY(check("its line height", def->line_height, -100, 100, error));
    return check("its align", def->align, FIRN_ALIGN_LEFT, FIRN_ALIGN_RIGHT, error);
}

firn_result firn_text_outline(const firn_text_def* def, double tolerance, firn_outline* out_outline,
                              firn_error* error)
{
    *out_outline = (firn_outline){.tolerance = tolerance};
    FIRN_TRY(check_def(def, error));
    char* path = NULL;
    FIRN_TRY(firn_font_find(def->font, &path, error));
    firn_font_face* face;
    const firn_result opened = firn_font_face_open(path, &face, error);
    firn_free(path);
    FIRN_TRY(opened);
    const firn_result result = set_text(def, face, out_outline, error);
    firn_font_face_close(face);
    return result;
}

// ---- level set ----------------------------------------------------------------------------------

// 2D distances at nodes whose coordinates are whole multiples of the voxel.
typedef struct plane {
    double voxel, half_depth;  // [m]
    double first[2], last[2];  // node range, counted from the world's origin
    firn_local nx, ny;
    firn_real* distance;  // owned [ny][nx] [m]
} plane;

// Exact at nodes. Elsewhere the nearest node's distance minus the way to it, and outside the grid
// the value at its border: lower bounds, as level_set.h requires.
static double flat_distance(const plane* p, double x, double y)
{
    double at[2] = {x / p->voxel, y / p->voxel}, away = 0;
    firn_local node[2];
    for (int i = 0; i < 2; i++) {
        at[i] = fmin(fmax(at[i], p->first[i]), p->last[i]);
        const double nearest = floor(at[i] + 0.5);
        node[i] = (firn_local)(nearest - p->first[i]);
        if (fabs(at[i] - nearest) > 0.01) away = hypot(away, at[i] - nearest);  // no rounding
    }
    const double d = (double)p->distance[(size_t)node[1] * (size_t)p->nx + (size_t)node[0]];
    return copysign(fmax(fabs(d) - away * p->voxel, 0), d);
}

// Distance to a prism: beyond an edge both distances count, elsewhere the larger one.
static firn_real solid_distance(const void* context, firn_vec3 x)
{
    const plane* p = context;
    const double flat = flat_distance(p, (double)x.x, (double)x.y);
    const double deep = fabs((double)x.z) - p->half_depth;
    return (firn_real)(flat > 0 && deep > 0 ? hypot(flat, deep) : fmax(flat, deep));
}

static firn_result fill_plane(const firn_outline* outline, const double low[2],
                              const double high[2], plane* p, firn_error* error)
{
    double sides[2];
    for (int i = 0; i < 2; i++) {
        p->first[i] = floor(low[i] / p->voxel) - BAND - 2;
        p->last[i] = ceil(high[i] / p->voxel) + BAND + 2;
        sides[i] = p->last[i] - p->first[i] + 1;
    }
    if (!(sides[0] * sides[1] <= NODES_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "text: it is %g m wide and %g m high, which voxels of %g m cut into %.3g "
                         "squares; at most %.3g are taken: use larger voxels",
                         high[0] - low[0], high[1] - low[1], p->voxel, sides[0] * sides[1],
                         NODES_MAX);
    p->nx = (firn_local)sides[0];
    p->ny = (firn_local)sides[1];
    p->distance = firn_alloc((size_t)p->nx * (size_t)p->ny, sizeof *p->distance);
    if (p->distance == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a text of %d x %d voxels",
                         (int)p->nx, (int)p->ny);
    const double origin[2] = {p->first[0] * p->voxel, p->first[1] * p->voxel};
    return firn_outline_grid(outline, origin, p->voxel, p->nx, p->ny, p->distance, error);
}

firn_result firn_level_set_from_text(const firn_text_def* def, const firn_level_set** out_set,
                                     firn_error* error)
{
    FIRN_TRY(check_def(def, error));
    const double coarsest = fmin(def->size / 8, def->depth / 2);
    if (!(def->voxel > 0 && def->voxel <= coarsest))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "text: a voxel of %g m; letters %g m high and %g m deep need one above 0 "
                         "and at most %g m",
                         def->voxel, def->size, def->depth, coarsest);
    // Round as firn_level_set_build does, so that its nodes coincide with those of the plane.
    plane p = {.voxel = (double)(firn_real)def->voxel, .half_depth = def->depth / 2};
    firn_outline outline;
    firn_result result = firn_text_outline(def, TOLERANCE * def->voxel, &outline, error);
    double low[2], high[2];
    firn_outline_bounds(&outline, low, high);
    if (result == FIRN_OK) result = fill_plane(&outline, low, high, &p, error);
    if (result == FIRN_OK) {
        const firn_real half = (firn_real)p.half_depth;
        const firn_box3 box = {firn_v3((firn_real)low[0], (firn_real)low[1], -half),
                               firn_v3((firn_real)high[0], (firn_real)high[1], half)};
        result = firn_level_set_build(box, (firn_real)p.voxel, (firn_real)(BAND * p.voxel),
                                      solid_distance, &p, out_set, error);
    }
    firn_free(p.distance);
    firn_outline_destroy(&outline);
    return result;
}
