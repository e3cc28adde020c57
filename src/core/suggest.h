// SPDX-License-Identifier: MIT
// "did you mean ...?": the nearest of a list of names to a misspelt one.
#pragma once
#include "firn/export.h"
#include "firn/types.h"

// Edit distance with insert, delete, replace and swap of neighbours each costing 1; ignores case.
int firn_edit_distance(const char* a, const char* b);
// Borrowed from `names`; null when nothing is near enough (distance > 1 + length/3). Public
// (firn.h), so that the command line suggests the same way.
FIRN_API const char* firn_suggest(const char* word, const char* const* names, size_t count);
