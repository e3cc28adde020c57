// SPDX-License-Identifier: MIT
// Mistakes with their place in a text: what scene.h offers, and the form that takes the source.
#pragma once
#include <stdarg.h>

#include "scene/data/scene.h"

// More than these are counted but not kept: a reader fixes the first ones first.
#define FIRN_DIAGNOSTICS_MAX 100

// As firn_diagnose, with the text in which line and column count; `source` may be null.
void firn_diagnose_source(firn_diagnostics* diagnostics, bool is_error, const char* file,
                          const char* source, size_t length, int line, int column,
                          const char* format, va_list args);
// By line and column, as one reads the file; those without a line come last. Stable.
void firn_diagnostics_sort(firn_diagnostics* diagnostics);
// Moves those of `from` that `to` does not have yet, with ` (in variant 'name')` after each.
void firn_diagnostics_merge(firn_diagnostics* to, firn_diagnostics* from, const char* variant);
