// SPDX-License-Identifier: MIT
// The overlay: figures, colour legend, time line, help, messages.
#pragma once
#include "viewer/draw/draw.h"
#include "viewer/session.h"

#define VIEW_OVERLAY_TEXTS 80
#define VIEW_OVERLAY_RECTS 112
#define VIEW_OVERLAY_CHARS 4096

typedef struct view_overlay {
    view_text texts[VIEW_OVERLAY_TEXTS];
    view_rect rects[VIEW_OVERLAY_RECTS];
    char chars[VIEW_OVERLAY_CHARS];  // storage of the strings of `texts`
    int text_count, rect_count, chars_used;
} view_overlay;

// Rebuilds the overlay; pointers in `out` are valid until the next call.
void view_overlay_compose(view_overlay* out, const view_session* s, view_draw* draw);
