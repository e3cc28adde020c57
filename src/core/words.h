// SPDX-License-Identifier: MIT
// Parses words and numbers of text in memory that need not be zero-terminated. Numbers have a
// decimal point in every locale.
#pragma once
#include "core/result.h"

// Borrowed from the text, not zero-terminated.
typedef struct firn_word {
    const char* at;
    size_t length;
} firn_word;

// Get the next word of the line and advance *at past it. False: at the end of the line or of the
// text, where *at then points. Blanks: space, tab, CR, vertical tab, form feed.
bool firn_word_next(const char** at, const char* end, firn_word* out_word);
bool firn_word_is(firn_word word, const char* text);
bool firn_word_is_any_case(firn_word word, const char* text);  // ignores case of ASCII letters
// Parses the whole word as strtod does in the "C" locale (including nan, inf and hexadecimal),
// correctly rounded. False: not a number, or longer than 500 bytes.
bool firn_word_number(firn_word word, double* out_number);
// Parses the whole word as a decimal integer. False: not an integer, or out of range.
bool firn_word_integer(firn_word word, int64_t* out_integer);
// True if `word` is one of the space-separated `words`: "cpu" of "cpu cuda". Both zero-terminated.
bool firn_words_have(const char* words, const char* word);
int firn_word_shown(firn_word word);  // number of bytes to show in a message, for "%.*s"
