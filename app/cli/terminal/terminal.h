// SPDX-License-Identifier: MIT
// What a stream is connected to: colour or not, how wide.
// Does: honour NO_COLOR, TERM=dumb and pipes. Does not: keep state.
// All names of the command line begin with cli_: the library is linked into the same program.
#pragma once
#include <stdbool.h>
#include <stdio.h>

typedef enum cli_style { CLI_BOLD, CLI_DIM, CLI_RED, CLI_YELLOW, CLI_GREEN, CLI_CYAN } cli_style;

bool cli_terminal_is(FILE* stream);       // a terminal that understands cursor movement
bool cli_terminal_colours(FILE* stream);  // the same, and the user has not asked for no colour
int cli_terminal_width(FILE* stream);     // [columns]; 100 when it is no terminal

// Escape sequences around coloured text; "" where there is no colour. Static.
const char* cli_style_on(FILE* stream, cli_style style);
const char* cli_style_off(FILE* stream);

// Columns that UTF-8 text takes, one per code point (no wide characters in what firn prints).
int cli_text_columns(const char* text);
