// SPDX-License-Identifier: MIT
// A font's letters as outlines, in the font's own units: unscaled and unhinted, so that they are
// the same with every version of FreeType. Kerning is that of the font's kern table.
#pragma once
#include "geometry/text/outline.h"

typedef struct firn_font_face firn_font_face;

// All in font units.
typedef struct firn_font_metrics {
    double capital;  // height of a capital letter
    double line;     // from one baseline to the next, as designed
} firn_font_metrics;

// Refused: not a font, or one of pixels; FIRN_REFUSED_BACKEND: built without FreeType.
firn_result firn_font_face_open(const char* path, firn_font_face** out_face, firn_error* error);
void firn_font_face_close(firn_font_face* face);  // null is fine
firn_font_metrics firn_font_face_metrics(const firn_font_face* face);
uint32_t firn_font_face_glyph(const firn_font_face* face, uint32_t character);  // 0: none
// Added between two glyphs.
double firn_font_face_kerning(const firn_font_face* face, uint32_t left, uint32_t right);
// How far the pen moves on after a glyph, and the largest |x| or |y| of its control points.
firn_result firn_font_face_advance(const firn_font_face* face, uint32_t glyph, double* out_advance,
                                   double* out_extent, firn_error* error);
// Draws a glyph at `origin` [m], `scale` metres per font unit.
firn_result firn_font_face_draw(const firn_font_face* face, uint32_t glyph, const double origin[2],
                                double scale, firn_outline* outline, firn_error* error);
