// SPDX-License-Identifier: MIT
// Growable text for messages, YAML, Markdown, JSON and file headers. Numbers have a decimal point
// in every locale, because files must not depend on it.
#pragma once
#include <locale.h>
#include <stdarg.h>

#include "core/result.h"

typedef struct firn_text {
    char* data;  // owned, zero-terminated; null while empty
    size_t length, capacity;
    bool failed;  // out of memory: the text is incomplete
} firn_text;

void firn_text_add(firn_text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void firn_text_add_bytes(firn_text* text, const void* bytes, size_t count);
// With the fewest digits that read back as the same number.
void firn_text_add_number(firn_text* text, double value);
// As a JSON string, including the quotes.
void firn_text_add_json(firn_text* text, const char* string);
// For XML: with <, >, & and quotes escaped; control characters become spaces.
void firn_text_add_xml(firn_text* text, const char* string);
void firn_text_destroy(firn_text* text);
// Get the finished text, owned by the caller; null: out of memory. `text` becomes empty.
char* firn_text_take(firn_text* text);

// snprintf and strtod in the "C" locale.
int firn_print(char* out, size_t size, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
double firn_parse_double(const char* from, char** out_end);

// While a firn_locale is open, this thread reads and prints numbers with a decimal point whatever
// the program's locale. For many numbers; firn_print and firn_text switch the locale in every call.
typedef struct firn_locale {
    locale_t own, before;
} firn_locale;
firn_locale firn_locale_open(void);
void firn_locale_close(firn_locale* locale);
