// SPDX-License-Identifier: MIT
// Results and their error messages.
#include "core/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "firn/error.h"

#define LONGEST 16384  // [bytes] two paths of any length, and a sentence
#define CUT "…"

// Fits a text into a message. A long one, with a path of kilobytes, loses its middle: its end says
// what is wrong and what to do.
static void keep_ends(const char* text, size_t length, char* out, size_t size)
{
    if (length < size) {
        memcpy(out, text, length + 1);
        return;
    }
    size_t head = size / 4, tail = size - 1 - strlen(CUT) - head;
    while (head > 0 && ((unsigned char)text[head] & 0xc0) == 0x80) head--;
    while (tail > 0 && ((unsigned char)text[length - tail] & 0xc0) == 0x80) tail--;
    snprintf(out, size, "%.*s" CUT "%s", (int)head, text, text + length - tail);
}

// The current or last call of this thread.
static _Thread_local struct {
    firn_error*
        reports;  // what the call reports to its caller. Compared; used only by firn_call_null
    firn_error last;
} call;

static void forget(void)
{
    call.last.code = FIRN_OK;
    call.last.text[0] = '\0';
}

firn_error* firn_call(firn_error* error)
{
    forget();
    call.reports = error != NULL ? error : &call.last;
    return call.reports;
}

firn_result firn_call_null(const char* function)
{
    const size_t length = strlen(function), end = strlen("_sized");
    const bool sized = length > end && strcmp(function + length - end, "_sized") == 0;
    return firn_fail(call.reports, FIRN_REFUSED_ARGUMENT, "%.*s: a pointer is null",
                     (int)(sized ? length - end : length), function);
}

firn_result firn_call_end(firn_result result, const firn_error* error)
{
    if (result == FIRN_OK)
        forget();
    else if (error != &call.last)
        call.last = *error;
    return result;
}

const char* firn_last_error(void)
{
    return call.last.text;
}

firn_result firn_fail(firn_error* error, firn_result code, const char* format, ...)
{
    if (error != NULL) {
        char text[LONGEST];
        va_list args;
        va_start(args, format);
        const int length = vsnprintf(text, sizeof text, format, args);
        va_end(args);
        // after printing: an argument may be the text of `error`
        error->code = code;
        if (length < 0) text[0] = '\0';
        keep_ends(text, strlen(text), error->text, sizeof error->text);
        if (error == call.reports && error != &call.last) call.last = *error;
    }
    return code;
}
