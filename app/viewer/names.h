// SPDX-License-Identifier: MIT
// Names for files that the window writes: "plow-0001.png", the first that is free.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Takes the first free name NAME-NNNN.EXTENSION in the current folder by making an empty file of
// it, so that nobody else gets it and nothing is overwritten. False: errno says why there is none.
bool view_name_take(const char* name, const char* extension, char* out_path, size_t size);
