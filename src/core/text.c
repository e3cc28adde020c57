// SPDX-License-Identifier: MIT
// Growable text, and number formatting that does not depend on the locale.
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

// Switches the calling thread to the C locale; pass the result to leave_c_locale. The C locale is
// built into the C library, so nothing is allocated; on failure the old locale stays.
static locale_t enter_c_locale(locale_t* out_plain)
{
    *out_plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return *out_plain == (locale_t)0 ? (locale_t)0 : uselocale(*out_plain);
}

static void leave_c_locale(locale_t old, locale_t plain)
{
    if (plain == (locale_t)0) return;
    uselocale(old);
    freelocale(plain);
}

static int print_plain(char* out, size_t size, const char* format, va_list args)
{
    locale_t plain;
    const locale_t old = enter_c_locale(&plain);
    const int length = vsnprintf(out, size, format, args);
    leave_c_locale(old, plain);
    return length;
}

int firn_print(char* out, size_t size, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = print_plain(out, size, format, args);
    va_end(args);
    return length;
}

double firn_parse_double(const char* from, char** out_end)
{
    locale_t plain;
    const locale_t old = enter_c_locale(&plain);
    const double value = strtod(from, out_end);
    leave_c_locale(old, plain);
    return value;
}

// Reserves `more` bytes and a zero. False: out of memory, the text is unchanged.
static bool make_room(firn_text* text, size_t more)
{
    if (text->failed) return false;
    const size_t need = text->length + more + 1;
    if (need <= text->capacity) return true;
    const size_t capacity = need + need / 2 + 256;
    char* bigger = firn_realloc(text->data, text->data != NULL ? text->length + 1 : 0, capacity, 1);
    if (bigger == NULL) {
        text->failed = true;
        return false;
    }
    text->data = bigger;
    text->capacity = capacity;
    return true;
}

void firn_text_add_bytes(firn_text* text, const void* bytes, size_t count)
{
    if (!make_room(text, count)) return;
    if (count > 0) memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void firn_text_add(firn_text* text, const char* format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = print_plain(NULL, 0, format, args);
    if (length >= 0 && make_room(text, (size_t)length)) {
        print_plain(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(args);
}

void firn_text_add_number(firn_text* text, double value)
{
    char digits[40] = "";
    for (int precision = 15; precision <= 17; precision++) {
        firn_print(digits, sizeof digits, "%.*g", precision, value);
        if (firn_parse_double(digits, NULL) == value) break;
    }
    firn_text_add(text, "%s", digits);
}

void firn_text_add_json(firn_text* text, const char* string)
{
    firn_text_add_bytes(text, "\"", 1);
    for (const char* c = string; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            firn_text_add(text, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            firn_text_add(text, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            firn_text_add_bytes(text, c, 1);
    }
    firn_text_add_bytes(text, "\"", 1);
}

void firn_text_add_xml(firn_text* text, const char* string)
{
    for (const char* c = string; *c != '\0'; c++) {
        switch (*c) {
        case '<': firn_text_add_bytes(text, "&lt;", 4); break;
        case '>': firn_text_add_bytes(text, "&gt;", 4); break;
        case '&': firn_text_add_bytes(text, "&amp;", 5); break;
        case '"': firn_text_add_bytes(text, "&quot;", 6); break;
        default: firn_text_add_bytes(text, (unsigned char)*c < 0x20 ? " " : c, 1); break;
        }
    }
}

void firn_text_destroy(firn_text* text)
{
    firn_free(text->data);
    *text = (firn_text){0};
}

char* firn_text_take(firn_text* text)
{
    firn_text_add_bytes(text, "", 0);  // "" rather than null for an empty text
    char* data = text->failed ? NULL : text->data;
    if (text->failed) firn_free(text->data);
    *text = (firn_text){0};
    return data;
}

firn_locale firn_locale_open(void)
{
    firn_locale locale = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    locale.before = uselocale(locale.own);  // a null locale has no effect
    return locale;
}

void firn_locale_close(firn_locale* locale)
{
    uselocale(locale->before);
    if (locale->own != (locale_t)0) freelocale(locale->own);
    *locale = (firn_locale){0};
}
