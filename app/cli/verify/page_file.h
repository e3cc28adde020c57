// SPDX-License-Identifier: MIT
// Text files that are there whole or not at all: written under another name, then renamed.
#pragma once
#include <stdbool.h>

// Replaces the file `path`. A link to a file is replaced, not followed; what is no file
// (/dev/stdout) is written to. False: errno says why, and the old file is unchanged.
bool cli_page_file_write(const char* path, const char* text);
