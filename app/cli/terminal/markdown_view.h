// SPDX-License-Identifier: MIT
// Markdown on a terminal: the small part of it that firn's own reference uses.
#pragma once
#include <stdio.h>

// Headings, tables, fenced code, lists and paragraphs; marks like ** and ` are taken off.
void cli_markdown_print(FILE* stream, const char* markdown);
