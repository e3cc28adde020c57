// SPDX-License-Identifier: MIT
// Structs back to YAML by their tables.
#pragma once
#include "core/text.h"
#include "scene/parse/keys.h"

// "{cell: 0.01, flip: 0.95}" with `digits` significant digits.
void firn_keys_write(firn_text* text, const firn_key_block* block, const void* item, int digits);
// The value of one key, at `field`.
void firn_key_write(firn_text* text, const firn_key* key, const void* field, int digits);
// With as few digits as read back the same number, at most `digits`.
void firn_write_number(firn_text* text, double value, int digits);
void firn_write_real(firn_text* text, firn_real value);
