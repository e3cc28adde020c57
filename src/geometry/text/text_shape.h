// SPDX-License-Identifier: MIT
// Words as solids: the outlines of a font's letters (FreeType), extruded along z. x runs along the
// line, y up; the level set is exact at its nodes, inside and out.
#pragma once
#include "firn/defs.h"
#include "geometry/levelset/level_set.h"
#include "geometry/text/outline.h"

// The outline of a text in the plane z = 0, curves within `tolerance` [m]. Destroy it in any case.
// Refused as below.
firn_result firn_text_outline(const firn_text_def* def, double tolerance, firn_outline* out_outline,
                              firn_error* error);
// Refused: a number out of range, no such font (says where it looked), a character that it does not
// have, nothing to see; FIRN_REFUSED_BACKEND: built without FreeType. The cookie is not looked at.
firn_result firn_level_set_from_text(const firn_text_def* def, const firn_level_set** out_set,
                                     firn_error* error);
