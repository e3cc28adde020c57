// SPDX-License-Identifier: MIT
// A text that grows line by line, for manifests, headers and descriptions. Numbers have a point as
// their decimal mark whatever the host's locale: files must not depend on it.
#pragma once
#include <stdarg.h>

#include "core/result.h"

typedef struct firn_text {
    char* data;  // owned, zero-terminated; null while empty
    size_t length, capacity;
    bool failed;  // memory ran out: what was added since is missing
} firn_text;

void firn_text_add(firn_text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void firn_text_add_bytes(firn_text* text, const void* bytes, size_t count);
// As a JSON string, quotes included.
void firn_text_add_json(firn_text* text, const char* string);
// With <, >, & and quotes escaped; control characters become spaces.
void firn_text_add_xml(firn_text* text, const char* string);
void firn_text_destroy(firn_text* text);

// snprintf and strtod of the "C" locale.
int firn_print(char* out, size_t size, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
double firn_parse_double(const char* from, char** out_end);
