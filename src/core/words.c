// SPDX-License-Identifier: MIT
// Parses words and numbers. Numbers with few digits and a small exponent, which most are, are
// parsed here exactly; the C library parses the others.
#include "core/words.h"

#include <string.h>

#include "core/text.h"

#define NUMBER_MAX 500         // [bytes] of a number: more digits than any double needs
#define EXACT_MAX (1LL << 53)  // integers up to here are exact doubles

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool firn_word_next(const char** at, const char* end, firn_word* out_word)
{
    const char* c = *at;
    while (c < end && is_blank(*c)) c++;
    const char* begin = c;
    while (c < end && !is_blank(*c) && *c != '\n') c++;
    *at = c;
    *out_word = (firn_word){begin, (size_t)(c - begin)};
    return c > begin;
}

bool firn_word_is(firn_word word, const char* text)
{
    return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool firn_words_have(const char* words, const char* word)
{
    const char* end = words + strlen(words);
    firn_word w;
    while (firn_word_next(&words, end, &w))
        if (firn_word_is(w, word)) return true;
    return false;
}

bool firn_word_is_any_case(firn_word word, const char* text)
{
    if (word.length != strlen(text)) return false;
    for (size_t i = 0; i < word.length; i++)
        if (lower(word.at[i]) != lower(text[i])) return false;
    return true;
}

int firn_word_shown(firn_word word)
{
    return word.length < 40 ? (int)word.length : 40;
}

// Appends the digits at *at to *mantissa. False: the result would leave the exact range.
static bool read_digits(const char** at, const char* end, int64_t* mantissa, int* out_count)
{
    const char* c = *at;
    for (; c < end && *c >= '0' && *c <= '9'; c++) {
        *mantissa = 10 * *mantissa + (*c - '0');
        if (*mantissa > EXACT_MAX) return false;
    }
    *out_count = (int)(c - *at);
    *at = c;
    return true;
}

// Parses digits with at most one point and an exponent if mantissa and power of ten are both exact
// doubles: their product or quotient is then rounded once, hence correctly (Clinger 1990).
static bool read_exactly(firn_word word, double* out_number)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *c = word.at, *end = word.at + word.length;
    if (word.length > NUMBER_MAX) return false;
    const bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) c++;
    int64_t mantissa = 0;
    int digits = 0, decimals = 0, exponent = 0;
    if (!read_digits(&c, end, &mantissa, &digits)) return false;
    if (c < end && *c == '.') {
        c++;
        if (!read_digits(&c, end, &mantissa, &decimals)) return false;
    }
    if (digits + decimals == 0) return false;
    if (c < end && (*c == 'e' || *c == 'E')) {
        c++;
        const bool down = c < end && *c == '-';
        if (c < end && (*c == '-' || *c == '+')) c++;
        int64_t size = 0;
        if (!read_digits(&c, end, &size, &digits) || digits == 0 || size > 1000) return false;
        exponent = down ? -(int)size : (int)size;
    }
    exponent -= decimals;
    if (c != end || exponent < -22 || exponent > 22) return false;
    const double value =
        exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
    *out_number = negative ? -value : value;
    return true;
}

bool firn_word_number(firn_word word, double* out_number)
{
    if (read_exactly(word, out_number)) return true;
    char copy[NUMBER_MAX + 1];
    if (word.length == 0 || word.length > NUMBER_MAX) return false;
    memcpy(copy, word.at, word.length);
    copy[word.length] = '\0';
    char* after;
    const double value = firn_parse_double(copy, &after);
    if (after != copy + word.length) return false;
    *out_number = value;
    return true;
}

bool firn_word_integer(firn_word word, int64_t* out_integer)
{
    const char *c = word.at, *end = word.at + word.length;
    const bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) c++;
    if (c == end) return false;
    int64_t value = 0;  // negative, because the range has one more negative number
    for (; c < end; c++) {
        if (*c < '0' || *c > '9') return false;
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, *c - '0', &value))
            return false;
    }
    if (!negative && value == INT64_MIN) return false;
    *out_integer = negative ? value : -value;
    return true;
}
