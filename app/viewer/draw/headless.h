// SPDX-License-Identifier: MIT
// An OpenGL 3.3 core context without a window: EGL, surfaceless, with a framebuffer of its own. For
// pictures on machines without a screen, and for tests. One at a time: EGL has one display for all.
#pragma once
#include <stdbool.h>

typedef struct view_headless view_headless;

// Makes it current, its framebuffer bound. False: `problem` says what is missing and what to do.
bool view_headless_create(int width, int height, view_headless** out_headless, char* problem,
                          int problem_size);
void view_headless_destroy(view_headless* headless);
