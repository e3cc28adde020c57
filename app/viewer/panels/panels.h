// SPDX-License-Identifier: MIT
// Panels at the right edge of the window: what runs, colours, the picked particle, plots, the
// scene's parameters, files. Each panel is one file. Built without Dear ImGui there are none
// (panels_none.c), and the window works by keys.
#pragma once
#include "viewer/session.h"

// Null: none in this build, or out of memory. `dir`: folder of the run that is replayed, or null.
view_panels* view_panels_create(view_source* source, const char* dir);
void view_panels_destroy(view_panels* panels);
// True: the event was for the panels of the session.
bool view_panels_event(view_session* s, const view_event* event);
// Handles input and lays out the panels; call once per picture, and before it is drawn.
void view_panels_update(view_session* s);
// Triangles to draw; null: the panels are hidden.
const view_gui* view_panels_triangles(const view_session* s);
// [pixels] of the window's width that they cover.
double view_panels_width(const view_session* s);
// [pixels] of the part of the window that shows the scene, to the left of the panels.
static inline int view_scene_width(const view_session* s)
{
    return s->width - (int)view_panels_width(s);
}
