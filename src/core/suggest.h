// SPDX-License-Identifier: MIT
// "did you mean ...?": the name of a list that is nearest to a misspelt one.
#pragma once
#include "firn/tools.h"

// Edit distance with insert, delete, replace and swap of neighbours each costing 1; ignores case.
int firn_edit_distance(const char* a, const char* b);
// firn_suggest itself is public (tools.h), so that the command line can use it. It returns null if
// no name is nearer than 1 + length/3.
