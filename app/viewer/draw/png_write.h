// SPDX-License-Identifier: MIT
// Writes a picture of the window as PNG.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Pixels: [height][width][3], top row first. Written atomically. False: see errno.
bool view_png_write(const char* path, int width, int height, const uint8_t* pixels);
