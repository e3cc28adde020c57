// SPDX-License-Identifier: MIT
// Letters of 5 x 7 pixels for machines without a font: the printable ASCII characters.
#pragma once
#include <stdint.h>

#define FONT_BUILTIN_WIDTH 5
#define FONT_BUILTIN_HEIGHT 9  // two rows below the line, for g, j, p, q and y

// Rows of a character, top first; bit 4 is the leftmost pixel. One that is not known is a box.
const uint8_t* font_builtin_rows(char character);
