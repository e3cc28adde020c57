// SPDX-License-Identifier: MIT
// Words as solids: the outlines of a font's letters (FreeType), extruded along z. x runs along the
// line, y up; the level set is exact at its nodes, inside and out.
#pragma once
#include "shape/level_set.h"

typedef struct firn_text_def {
    const char* text;    // UTF-8; "\n" starts another line
    const char* font;    // a font file, or the name of an installed one ("DejaVuSans-Bold")
    double size;         // [m] height of a capital letter
    double depth;        // [m] along z, centred on z = 0
    double spacing;      // [m] added between letters
    double line_height;  // of the font's own; 1 as designed
    int align;           // 0 left, 1 centre, 2 right of x = 0; the first baseline is at y = 0
    double voxel;        // [m] of the level set
} firn_text_def;

// Refused: no such font (says where it looked), a character that it does not have, nothing to see;
// FIRN_REFUSED_BACKEND: built without FreeType.
firn_result firn_level_set_from_text(const firn_text_def* def, const firn_level_set** out_set,
                                     firn_error* error);
