// SPDX-License-Identifier: MIT
// A text that grows line by line, for messages, YAML, Markdown, JSON, headers. Numbers have a point
// as their decimal mark whatever the host's locale: files must not depend on it.
#pragma once
#include <locale.h>
#include <stdarg.h>

#include "core/result.h"

typedef struct firn_text {
    char* data;  // owned, zero-terminated; null while empty
    size_t length, capacity;
    bool failed;  // memory ran out: what was added since is missing
} firn_text;

void firn_text_add(firn_text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void firn_text_add_bytes(firn_text* text, const void* bytes, size_t count);
// With as few digits as give the same number when read back.
void firn_text_add_number(firn_text* text, double value);
// As a JSON string, quotes included.
void firn_text_add_json(firn_text* text, const char* string);
// With <, >, & and quotes escaped; control characters become spaces.
void firn_text_add_xml(firn_text* text, const char* string);
void firn_text_destroy(firn_text* text);
// The finished text (null only when memory ran out), owned by the caller; `text` is empty again.
char* firn_text_take(firn_text* text);

// snprintf and strtod of the "C" locale.
int firn_print(char* out, size_t size, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
double firn_parse_double(const char* from, char** out_end);

// While a firn_locale is open, this thread reads and prints numbers with a point, whatever the
// program's locale says. For long stretches; firn_print and the texts do it call by call.
typedef struct firn_locale {
    locale_t own, before;
} firn_locale;
firn_locale firn_locale_open(void);
void firn_locale_close(firn_locale* locale);
