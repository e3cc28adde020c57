// SPDX-License-Identifier: MIT
// Falls back to spheres where the surface is too slow for a window, as without a graphics card. The
// reason stays on the screen until the style is changed by key.
#pragma once
#include "viewer/session.h"

#define VIEW_SURFACE_SLOW 0.2  // [s] frame time above which the style falls back
#define VIEW_STYLE_TRIALS 3    // frames for that decision; the first also creates buffers

typedef struct view_style_trial {
    bool may_change;  // the user has not chosen a style
    int64_t pictures;
    double slowest;  // [s] of those that count
} view_style_trial;

// Call after every picture that took `seconds`.
static inline void view_style_try(view_style_trial* t, view_session* s, double seconds)
{
    t->pictures++;
    if (!t->may_change || s->style != VIEW_SURFACE || t->pictures > VIEW_STYLE_TRIALS) return;
    if (t->pictures > 1) t->slowest = fmax(t->slowest, seconds);
    if (t->pictures < VIEW_STYLE_TRIALS || t->slowest < VIEW_SURFACE_SLOW) return;
    s->style = VIEW_SPHERES;
    s->events++;
    snprintf(s->style_note, sizeof s->style_note,
             "drawn as spheres: the surface takes %.0f ms per picture here, more than %.0f; "
             "S: surface",
             1e3 * t->slowest, 1e3 * VIEW_SURFACE_SLOW);
}
