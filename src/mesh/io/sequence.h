// SPDX-License-Identifier: MIT
// Numbered files: "walk.%04d.obj" is walk.0001.obj, walk.0002.obj, ...
// The name of the file, after the last slash, has exactly one %d or %0Nd (N digits, 1 to 9); %%
// stands for a percent sign, which in names of folders is an ordinary letter. The pattern is read
// here and never handed to printf: a user's text is not a format.
#pragma once
#include "core/result.h"

#define FIRN_SEQUENCE_COUNT_MAX 1000000

bool firn_sequence_is_pattern(const char* text);  // its file's name has a %
// The name of file `number`, owned by the caller; null when memory is out. The pattern was checked.
char* firn_sequence_name(const char* pattern, int64_t number);
// The pattern is well formed, first <= last, numbers not negative, and all the files can be read.
// FIRN_REFUSED_SCENE says what is wrong with the pattern or numbers; FIRN_REFUSED_IO names the
// first missing file.
firn_result firn_sequence_check(const char* pattern, int64_t first, int64_t last,
                                firn_error* error);
