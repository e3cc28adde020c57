// SPDX-License-Identifier: MIT
// Diagnostics: errors and warnings about a scene, with their location in its text.
#pragma once
#include <stdarg.h>

#include "core/result.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// One error or warning about a scene.
typedef struct firn_diagnostic {
    bool is_error;      // else a warning
    int line, column;   // 1-based; 0 without a location in the file (--set)
    char* file;         // owned
    char* message;      // owned: "unknown key 'radus' in 'sphere' (did you mean 'radius'?)"
    char* source_line;  // owned; may be null; long lines are cut to a window around the column
    int caret;          // column of the caret in source_line, 1-based, in characters
} firn_diagnostic;

typedef struct firn_diagnostics {
    firn_diagnostic* items;  // owned
    firn_local count, capacity;
    firn_local error_count;
    firn_local missing_count;  // of these: the scene is right, but this build lacks a feature
} firn_diagnostics;

// Appends a diagnostic; silently dropped when memory is out (error_count still grows).
void firn_diagnose(firn_diagnostics* diagnostics, bool is_error, const char* file, int line,
                   int column, const char* format, ...) __attribute__((format(printf, 6, 7)));
// As above, at the location of `key` ("mpm.cell"; or of the block it is missing from) in the scene
// file.
void firn_diagnose_key(firn_diagnostics* diagnostics, bool is_error, const firn_scene_data* scene,
                       const char* key, const char* format, ...)
    __attribute__((format(printf, 5, 6)));
// "file:line:column: error: message", the source line and a caret; "\n" between. Owned by caller.
char* firn_diagnostics_text(const firn_diagnostics* diagnostics);
void firn_diagnostics_destroy(firn_diagnostics* diagnostics);

// Further ones are only counted.
#define FIRN_DIAGNOSTICS_MAX 100

// As firn_diagnose, with the text in which line and column count; `source` may be null.
void firn_diagnose_source(firn_diagnostics* diagnostics, bool is_error, const char* file,
                          const char* source, size_t length, int line, int column,
                          const char* format, va_list args);
// By line and column, as one reads the file; those without a line come last. Stable.
void firn_diagnostics_sort(firn_diagnostics* diagnostics);
// Moves those of `from` that `to` does not have yet, with ` (in variant 'name')` after each.
void firn_diagnostics_merge(firn_diagnostics* to, firn_diagnostics* from, const char* variant);
