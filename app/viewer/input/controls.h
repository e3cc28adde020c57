// SPDX-License-Identifier: MIT
// Keys and mouse to actions. Windows and scripts call the same function.
#pragma once
#include "viewer/session.h"

void view_controls_event(view_session* s, const view_event* event);

// One line per key, "KEY\tWHAT IT DOES"; ends with null. `live` or of a replay.
const char* const* view_controls_help(bool live);

// The time line of a replay: where it is in the picture [pixels].
typedef struct view_timeline {
    double x, y, width, height;
} view_timeline;
view_timeline view_timeline_place(const view_session* s);
