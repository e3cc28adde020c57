// SPDX-License-Identifier: MIT
// The window, through GLFW: an OpenGL context, and events for the session.
#pragma once
#include "firn/types.h"
#include "viewer/session.h"

typedef struct view_window view_window;

// Opens the window and makes its context current. FIRN_REFUSED_BACKEND: there is no display, or no
// OpenGL 3.3. Only one window may be open.
firn_result view_window_open(int width, int height, const char* title, view_window** out_window,
                             firn_error* out_error);
void view_window_close(view_window* window);
// Passes pending events to view_controls_event; waits up to `seconds` for the first. Sets the
// session's size to that of the window.
void view_window_poll(view_window* window, view_session* s, double seconds);
// Swaps the buffers.
void view_window_show(view_window* window);
