// SPDX-License-Identifier: MIT
// A surfaceless OpenGL 3.3 core context through EGL, with a framebuffer, for machines without a
// display and for tests. Only one may exist, because EGL shares one display per process.
#pragma once
#include <stdbool.h>

typedef struct view_headless view_headless;

// Makes the context current and binds its framebuffer. False: `problem` says what to install.
bool view_headless_create(int width, int height, view_headless** out_headless, char* problem,
                          int problem_size);
void view_headless_destroy(view_headless* headless);
