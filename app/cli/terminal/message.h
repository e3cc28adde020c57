// SPDX-License-Identifier: MIT
// Messages for people, on stderr: errors, warnings, the library's diagnostics, and the exit code
// that goes with a result of the library.
#pragma once
#include <stdio.h>

#include "firn/types.h"

// "firn: error: …" / "firn: warning: …"; the format brings no newline.
void cli_error(const char* format, ...) __attribute__((format(printf, 1, 2)));
void cli_warning(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Compiler-like text of several lines ("file:3:5: error: …", source line, caret), coloured on a
// terminal. Used for scenes.
void cli_diagnostics_print(FILE* stream, const char* text);

int cli_exit_code(firn_result result);
// The same for something that was only read: a file that cannot be opened is a wrong input (3), not
// failing I/O (4).
int cli_exit_code_of_input(firn_result result);
const char* cli_result_name(firn_result result);  // "ok", "diverged", … for --json; static
