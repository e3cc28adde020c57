// SPDX-License-Identifier: MIT
// Log lines go to a callback and have stable ids. The library never prints.
#pragma once
#include "firn/types.h"

typedef struct firn_log {
    firn_log_fn write;  // null: silence
    void* user;         // borrowed, passed to `write`
} firn_log;

void firn_log_write(const firn_log* log, firn_log_level level, const char* id, const char* format,
                    ...) __attribute__((format(printf, 4, 5)));
