// SPDX-License-Identifier: MIT
// Properties of the terminal behind a stream: colour and width.
// Does: honour NO_COLOR, TERM=dumb and pipes. Does not: keep state.
// All names of the command line begin with cli_ because the library is linked into the same
// program.
#pragma once
#include <stdbool.h>
#include <stdio.h>

typedef enum cli_style { CLI_BOLD, CLI_DIM, CLI_RED, CLI_YELLOW, CLI_GREEN, CLI_CYAN } cli_style;

bool cli_terminal_is(FILE* stream);       // a terminal that supports cursor movement
bool cli_terminal_colours(FILE* stream);  // the same, and the user has not disabled colour
int cli_terminal_width(FILE* stream);     // [columns]; 100 if it is not a terminal

// Escape sequences around coloured text; "" where there is no colour. Static.
const char* cli_style_on(FILE* stream, cli_style style);
const char* cli_style_off(FILE* stream);

// Width of UTF-8 text in columns, one per code point (firn prints no wide characters).
int cli_text_columns(const char* text);
