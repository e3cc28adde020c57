// SPDX-License-Identifier: MIT
// Prints the subset of Markdown that firn's scene reference uses.
#pragma once
#include <stdio.h>

// Supports headings, tables, fenced code, lists and paragraphs; removes marks like ** and `.
void cli_markdown_print(FILE* stream, const char* markdown);
