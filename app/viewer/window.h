// SPDX-License-Identifier: MIT
// The window on the screen, through GLFW: a context to draw with, and events for the session.
#pragma once
#include "firn/types.h"
#include "viewer/session.h"

typedef struct view_window view_window;

// Opens it and makes its context current. FIRN_REFUSED_BACKEND: there is no screen, or it cannot
// draw. One at a time.
firn_result view_window_open(int width, int height, const char* title, view_window** out_window,
                             firn_error* out_error);
void view_window_close(view_window* window);
// Hands events that have come to view_controls_event; waits up to `seconds` for the first. Sets the
// session's size to the window's.
void view_window_poll(view_window* window, view_session* s, double seconds);
// Shows what was drawn.
void view_window_show(view_window* window);
