// SPDX-License-Identifier: MIT
// A text that grows.
#include "scene/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

static bool make_room(firn_text* text, size_t more)
{
    const size_t need = (size_t)text->length + more + 1;
    if (need > INT32_MAX) text->failed = true;
    if (!text->failed && !firn_reserve((void**)&text->data, &text->capacity, (firn_local)need, 1))
        text->failed = true;
    return !text->failed;
}

void firn_text_add_bytes(firn_text* text, const char* bytes, size_t length)
{
    if (!make_room(text, length)) return;
    memcpy(text->data + text->length, bytes, length);
    text->length += (firn_local)length;
    text->data[text->length] = 0;
}

void firn_text_add(firn_text* text, const char* format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0 && make_room(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += length;
    }
    va_end(again);
    va_end(args);
}

char* firn_text_take(firn_text* text)
{
    firn_text_add_bytes(text, "", 0);  // an empty text is a text
    char* data = text->failed ? NULL : text->data;
    if (text->failed) firn_free(text->data);
    *text = (firn_text){0};
    return data;
}

firn_locale firn_locale_open(void)
{
    firn_locale locale = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    locale.before = uselocale(locale.own);  // a null locale changes nothing
    return locale;
}

void firn_locale_close(firn_locale* locale)
{
    uselocale(locale->before);
    if (locale->own != (locale_t)0) freelocale(locale->own);
    *locale = (firn_locale){0};
}
