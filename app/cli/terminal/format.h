// SPDX-License-Identifier: MIT
// Formats numbers for people: "3.0 MiB", "2 min 10 s", "302 145".
#pragma once
#include <stdint.h>

// Large enough for any of them.
typedef struct cli_text32 {
    char text[32];
} cli_text32;

cli_text32 cli_format_bytes(double bytes);      // "812 B", "3.2 GiB"
cli_text32 cli_format_seconds(double seconds);  // "0.4 s", "2 min 10 s", "3 h 05 min", "2 d 4 h"
cli_text32 cli_format_count(int64_t count);     // thousands separated: "302 145"
cli_text32 cli_format_rate(double per_second);  // three digits and a prefix: "1.24 M"
cli_text32 cli_format_real(double value);       // up to four digits: "0.0048", "5e-04"
