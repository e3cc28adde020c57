// SPDX-License-Identifier: MIT
// Names of numbered files.
#include "mesh/io/sequence.h"

#include <string.h>

#include "core/input.h"
#include "core/memory.h"
#include "core/text.h"

// The name of the file in a path. Folders have their names as they are: a scene's path becomes part
// of its patterns.
static const char* name_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool firn_sequence_is_pattern(const char* text)
{
    return strchr(name_of(text), '%') != NULL;
}

// Parses the conversion at a percent sign: its length, and the digits to pad with zeros (0: none).
// Length 0: not allowed.
static size_t read_field(const char* at, int* out_digits)
{
    *out_digits = 0;
    if (at[1] == 'd' || at[1] == '%') return 2;
    if (at[1] != '0' || at[2] < '1' || at[2] > '9' || at[3] != 'd') return 0;
    *out_digits = at[2] - '0';
    return 4;
}

char* firn_sequence_name(const char* pattern, int64_t number)
{
    firn_text name = {0};
    const char* at = name_of(pattern);
    firn_text_add_bytes(&name, pattern, (size_t)(at - pattern));
    while (*at != '\0') {
        int digits;
        const size_t length = *at == '%' ? read_field(at, &digits) : 0;
        if (length == 0)
            firn_text_add_bytes(&name, at++, 1);
        else if (at[1] == '%')
            firn_text_add_bytes(&name, "%", 1);
        else
            firn_text_add(&name, "%0*lld", digits, (long long)number);
        at += length;
    }
    return firn_text_take(&name);
}

static firn_result check_pattern(const char* pattern, firn_error* error)
{
    int numbers = 0;
    for (const char* at = name_of(pattern); (at = strchr(at, '%')) != NULL;) {
        int digits;
        const size_t length = read_field(at, &digits);
        if (length == 0)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "'%s': unknown '%.4s' at letter %zu: write %%d or %%04d where the "
                             "number stands, %%%% for a percent sign",
                             pattern, at, (size_t)(at - pattern) + 1);
        if (at[1] != '%') numbers++;
        at += length;
    }
    if (numbers == 1) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_SCENE,
                     "'%s': %d places for the number (%%d or %%04d), must be one", pattern,
                     numbers);
}

firn_result firn_sequence_check(const char* pattern, int64_t first, int64_t last, firn_error* error)
{
    FIRN_TRY(check_pattern(pattern, error));
    if (first < 0 || last < first || last - first >= FIRN_SEQUENCE_COUNT_MAX)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "'%s': numbers from %lld to %lld: must not be negative nor run backwards, "
                         "and be at most %d",
                         pattern, (long long)first, (long long)last, FIRN_SEQUENCE_COUNT_MAX);
    for (int64_t number = first; number <= last; number++) {
        char* name = firn_sequence_name(pattern, number);
        if (name == NULL)
            return firn_fail(error, FIRN_BROKEN_MEMORY, "'%s': no memory for a name", pattern);
        firn_error cause;
        firn_result result = firn_input_check(name, &cause);
        if (result != FIRN_OK)
            result = firn_fail(error, result, "%s (one of '%s', %lld to %lld)", cause.text, pattern,
                               (long long)first, (long long)last);
        firn_free(name);
        FIRN_TRY(result);
    }
    return FIRN_OK;
}
