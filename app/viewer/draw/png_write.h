// SPDX-License-Identifier: MIT
// A picture of the window as a PNG file.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Pixels: [height][width][3], top row first. Written whole or not at all. False: errno says why.
bool view_png_write(const char* path, int width, int height, const uint8_t* pixels);
