// SPDX-License-Identifier: MIT
// Values of options from text.
#include "cli/option_values.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* cli_value_int(const char* text, int64_t* out)
{
    static const char expected[] = "a whole number";
    char* end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end || isspace((unsigned char)*text) || errno) return expected;
    *out = value;
    return NULL;
}

const char* cli_value_real(const char* text, double* out)
{
    static const char expected[] = "a number";
    char* end;
    errno = 0;
    const double value = strtod(text, &end);
    if (end == text || *end || isspace((unsigned char)*text) || !isfinite(value)) return expected;
    *out = value;
    return NULL;
}

// K, M, G and T are powers of 1024, whether written "8G", "8GB" or "8GiB", in upper or lower case.
const char* cli_value_bytes(const char* text, uint64_t* out)
{
    static const char expected[] = "a size such as 512M, 8G or 1.5G";
    char* end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || isspace((unsigned char)*text) || !(value > 0) || !isfinite(value)) {
        return expected;
    }
    static const char prefixes[] = "KMGT";
    const char* prefix = *end ? strchr(prefixes, toupper((unsigned char)*end)) : NULL;
    if (prefix) {
        value = ldexp(value, 10 * (int)(prefix - prefixes + 1));
        end++;
        if (*end == 'i' && tolower((unsigned char)end[1]) == 'b') end++;
    }
    if (tolower((unsigned char)*end) == 'b') end++;
    if (*end || value < 1 || value >= 0x1p63) return expected;
    *out = (uint64_t)value;
    return NULL;
}

const char* cli_value_frames(const char* text, cli_frames* out)
{
    static const char expected[] = "a last frame such as 96, or first and last such as 12:96";
    const char* colon = strchr(text, ':');
    cli_frames frames = {.given = true, .colon = colon != NULL, .begin = -1, .end = -1};
    const char* last = colon ? colon + 1 : text;
    if (colon && colon > text) {
        char first[32];
        const size_t length = (size_t)(colon - text);
        if (length >= sizeof first) return expected;
        memcpy(first, text, length);
        first[length] = '\0';
        if (cli_value_int(first, &frames.begin) || frames.begin < 0) return expected;
    }
    if (*last && (cli_value_int(last, &frames.end) || frames.end < 0)) return expected;
    if (frames.begin < 0 && frames.end < 0) return expected;
    if (frames.end >= 0 && frames.begin > frames.end) return expected;
    *out = frames;
    return NULL;
}
