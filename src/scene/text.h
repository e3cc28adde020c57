// SPDX-License-Identifier: MIT
// A text that grows: used to write messages, YAML, Markdown and JSON.
#pragma once
#include <locale.h>

#include "core/result.h"

typedef struct firn_text {
    char* data;  // owned, zero-terminated once anything was added
    firn_local length, capacity;
    bool failed;  // memory ran out: `data` is useless
} firn_text;

void firn_text_add(firn_text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void firn_text_add_bytes(firn_text* text, const char* bytes, size_t length);
// The finished text (never null unless memory ran out), owned by the caller.
char* firn_text_take(firn_text* text);

// While a firn_locale is open, this thread reads and prints numbers with a point, whatever the
// program's locale says.
typedef struct firn_locale {
    locale_t own, before;
} firn_locale;
firn_locale firn_locale_open(void);
void firn_locale_close(firn_locale* locale);
