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

const char* firn_result_text(firn_result code)
{
    switch (code) {
    case FIRN_OK: return "ok";
    case FIRN_REFUSED_ARGUMENT: return "bad argument";
    case FIRN_REFUSED_SCENE: return "wrong scene or input file";
    case FIRN_REFUSED_NAME: return "unknown name";
    case FIRN_REFUSED_BACKEND: return "backend or feature not available";
    case FIRN_REFUSED_IO: return "input/output error";
    case FIRN_REFUSED_DAMAGED: return "damaged file";
    case FIRN_INTERRUPTED: return "interrupted";
    case FIRN_BROKEN_MEMORY: return "out of memory";
    case FIRN_BROKEN_DIVERGED: return "diverged";
    case FIRN_BROKEN_INTERNAL: return "internal error";
    }
    return "unknown result";
}
