// SPDX-License-Identifier: MIT
// Built-in font of 5 x 7 pixels for printable ASCII, for machines without fonts.
#pragma once
#include <stdint.h>

#define FONT_BUILTIN_WIDTH 5
#define FONT_BUILTIN_HEIGHT 9  // two rows below the baseline, for g, j, p, q and y

// Rows of a character, top first; bit 4 is the leftmost pixel. A box if not printable.
const uint8_t* font_builtin_rows(char character);
