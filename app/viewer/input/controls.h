// SPDX-License-Identifier: MIT
// Maps keys and mouse to actions, for windows and scripts.
#pragma once
#include "viewer/session.h"

void view_controls_event(view_session* s, const view_event* event);

// Help lines "KEY\tACTION", terminated by null, of a live session or of a replay.
const char* const* view_controls_help(bool live);

// Rectangle of a replay's time line [pixels].
typedef struct view_timeline {
    double x, y, width, height;
} view_timeline;
view_timeline view_timeline_place(const view_session* s);

// Square of the button that plays and pauses [pixels], and its inner margin.
typedef struct view_play_button {
    double x, y, side, margin;
} view_play_button;
view_play_button view_play_button_place(const view_session* s);
