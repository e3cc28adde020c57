// SPDX-License-Identifier: MIT
// Structs back to YAML by their tables.
#pragma once
#include "scene/keys.h"
#include "core/text.h"

// "{cell: 0.01, flip: 0.95}" with `digits` significant digits.
void firn_keys_write(firn_text* text, const firn_key_block* block, const void* item, int digits);
// The shortest text that reads back as the same number with `digits` digits.
void firn_write_number(firn_text* text, double value, int digits);
// A text in quotes, escaped.
void firn_write_quoted(firn_text* text, const char* value);
