// SPDX-License-Identifier: MIT
// Results and their error messages.
#include "core/result.h"

#include <stdarg.h>
#include <stdio.h>

firn_result firn_fail(firn_error* error, firn_result code, const char* format, ...)
{
    if (error != NULL) {
        error->code = code;
        va_list args;
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return code;
}
