// SPDX-License-Identifier: MIT
// What lies over the picture: figures, the scale of the colours, the time line, help, messages.
#pragma once
#include "viewer/draw/draw.h"
#include "viewer/session.h"

#define VIEW_OVERLAY_WORDS 80
#define VIEW_OVERLAY_PATCHES 96
#define VIEW_OVERLAY_TEXT 4096

typedef struct view_overlay {
    view_words words[VIEW_OVERLAY_WORDS];
    view_patch patches[VIEW_OVERLAY_PATCHES];
    char text[VIEW_OVERLAY_TEXT];  // that the words point into
    int word_count, patch_count, text_used;
} view_overlay;

// Lays it out anew; points of `out` are good until the next call.
void view_overlay_compose(view_overlay* out, const view_session* s, view_draw* draw);
