// SPDX-License-Identifier: MIT
// Words of commands that firn suggests, such that a shell reads them as they were meant.
#pragma once
#include <stdio.h>

// Prints a word, quoted where a shell would change it. Control characters are printed as \xHH, so
// that a terminal does not obey them.
void cli_quote_print(FILE* stream, const char* word);
// Prints a suggestion: "  PROGRAM [COMMAND] PATH". `command` may be null.
void cli_hint_print(const char* program, const char* command, const char* path);
