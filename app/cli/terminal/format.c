// SPDX-License-Identifier: MIT
// Formats numbers for people.
#include "cli/terminal/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

cli_text32 cli_format_bytes(double bytes)
{
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    cli_text32 out;
    int unit = 0;
    while (fabs(bytes) >= 1024 && unit < 5) bytes /= 1024, unit++;
    snprintf(out.text, sizeof out.text, unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes,
             units[unit]);
    return out;
}

cli_text32 cli_format_seconds(double seconds)
{
    cli_text32 out;
    if (!(seconds >= 0) || seconds > 1e12) {
        snprintf(out.text, sizeof out.text, "unknown");
    } else if (seconds < 9.95) {
        snprintf(out.text, sizeof out.text, "%.1f s", seconds);
    } else if (seconds < 59.5) {
        snprintf(out.text, sizeof out.text, "%.0f s", seconds);
    } else if (seconds < 3600) {
        const int64_t s = llround(seconds);
        snprintf(out.text, sizeof out.text, "%" PRId64 " min %02d s", s / 60, (int)(s % 60));
    } else if (seconds < 86400) {
        const int64_t minutes = llround(seconds / 60);
        snprintf(out.text, sizeof out.text, "%" PRId64 " h %02d min", minutes / 60,
                 (int)(minutes % 60));
    } else {
        const int64_t hours = llround(seconds / 3600);
        snprintf(out.text, sizeof out.text, "%" PRId64 " d %d h", hours / 24, (int)(hours % 24));
    }
    return out;
}

cli_text32 cli_format_count(int64_t count)
{
    char digits[24];
    cli_text32 out;
    snprintf(digits, sizeof digits, "%" PRId64, count);
    const size_t length = strlen(digits);
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        const size_t left = length - i;
        if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') out.text[n++] = ' ';
        out.text[n++] = digits[i];
    }
    out.text[n] = '\0';
    return out;
}

cli_text32 cli_format_rate(double per_second)
{
    static const char* const prefixes[] = {"", " k", " M", " G", " T"};
    cli_text32 out;
    int prefix = 0;
    while (fabs(per_second) >= 999.5 && prefix < 4) per_second /= 1000, prefix++;
    const int decimals = per_second >= 99.95 ? 0 : per_second >= 9.995 ? 1 : 2;
    snprintf(out.text, sizeof out.text, "%.*f%s", decimals, per_second, prefixes[prefix]);
    return out;
}

cli_text32 cli_format_real(double value)
{
    cli_text32 out;
    snprintf(out.text, sizeof out.text, "%.4g", value);
    return out;
}
