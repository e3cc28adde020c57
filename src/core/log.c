// SPDX-License-Identifier: MIT
// Log lines go to a callback and have stable ids. The library never prints.
#include "core/log.h"

#include <stdarg.h>
#include <stdio.h>

void firn_log_write(const firn_log* log, firn_log_level level, const char* id, const char* format,
                    ...)
{
    if (log == NULL || log->write == NULL) return;
    char text[2000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log->write(log->user, level, id, text);
}
