// SPDX-License-Identifier: MIT
// A ball and a plow to drag through the snow, and bodies of the scene that can be held. Says where
// a body is to be; how it gets there is follow.h's.
#pragma once
#include "viewer/session.h"

// Sizes that suit the snow.
void view_tools_begin(view_session* s);
// Brings a tool to where the mouse points, or takes it away.
void view_tools_toggle(view_session* s, int body);
// Takes hold of what is under the mouse; false: nothing is. `any`: also bodies at rest.
bool view_tools_grab(view_session* s, double x, double y, bool any);
void view_tools_drag(view_session* s, double x, double y);
void view_tools_raise(view_session* s, double notches);
void view_tools_release(view_session* s);
// Whether a tool is parked out of sight.
bool view_tools_is_away(const view_session* s, int body);
