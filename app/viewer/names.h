// SPDX-License-Identifier: MIT
// Names of files that the window writes: "plow-0001.png", the first unused number.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Reserves the first unused name NAME-NNNN.EXTENSION in the current folder by creating an empty
// file, so that nothing is overwritten. False: see errno.
bool view_name_reserve(const char* name, const char* extension, char* out_path, size_t size);
