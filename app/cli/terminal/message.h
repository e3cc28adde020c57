// SPDX-License-Identifier: MIT
// Messages on stderr: errors, warnings and the library's diagnostics; exit codes of results.
#pragma once
#include <stdarg.h>
#include <stdio.h>

#include "firn/types.h"

// Prints "firn: error: …" or "firn: warning: …"; the format has no newline.
void cli_error(const char* format, ...) __attribute__((format(printf, 1, 2)));
void cli_error_list(const char* format, va_list list) __attribute__((format(printf, 1, 0)));
void cli_warning(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Prints compiler-like text of several lines ("file:3:5: error: …", source line, caret), coloured
// on a terminal. Used for scenes.
void cli_diagnostics_print(FILE* stream, const char* text);

int cli_exit_code(firn_result result);
// The same for input files: a file that cannot be opened is a wrong input (3), not an I/O error
// (4).
int cli_exit_code_of_input(firn_result result);
// The same for the folder of a run: one that is not there is a wrong input (3), one that cannot be
// read is an I/O error (4).
int cli_exit_code_of_run(firn_result result);
const char* cli_result_name(firn_result result);  // "ok", "diverged", … for --json; static
