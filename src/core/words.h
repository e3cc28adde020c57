// SPDX-License-Identifier: MIT
// Words and numbers of a text in memory that need not end with a zero. Numbers have a point as
// their decimal mark whatever the host's locale.
#pragma once
#include "core/result.h"

// Borrowed from the text, not zero-terminated.
typedef struct firn_word {
    const char* at;
    size_t length;
} firn_word;

// The next word of the line that begins or goes on at *at; moves *at behind it. False at the end of
// the line or of the text, where *at then stands. Blanks: space, tab, CR, vertical tab, form feed.
bool firn_word_next(const char** at, const char* end, firn_word* out_word);
bool firn_word_is(firn_word word, const char* text);
bool firn_word_is_any_case(firn_word word, const char* text);  // of ASCII letters
// The whole word as strtod reads it in the "C" locale (nan, inf and hexadecimal included),
// correctly rounded. False when it is no number or longer than 500 bytes.
bool firn_word_number(firn_word word, double* out_number);
// The whole word as a decimal integer. False when it is none or does not fit.
bool firn_word_integer(firn_word word, int64_t* out_integer);
// Whether `word` is one of `words`, which blanks part: "cpu" of "cpu cuda". Both zero-terminated.
bool firn_words_have(const char* words, const char* word);
int firn_word_shown(firn_word word);  // how many bytes of it a message shows, for "%.*s"
