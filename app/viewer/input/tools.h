// SPDX-License-Identifier: MIT
// Ball and plow to drag through the snow, and dragging of the scene's colliders. Sets their target;
// follow.h computes the motion.
#pragma once
#include "viewer/session.h"

// Chooses tool sizes that suit the snow.
void view_tools_begin(view_session* s);
// Places a tool under the mouse, or parks it.
void view_tools_toggle(view_session* s, int collider);
// Grabs the collider under the mouse; false: none. `any`: static colliders too.
bool view_tools_grab(view_session* s, double x, double y, bool any);
void view_tools_drag(view_session* s, double x, double y);
void view_tools_raise(view_session* s, double notches);
void view_tools_release(view_session* s);
// Whether the collider is a parked tool.
bool view_tools_is_parked(const view_session* s, int collider);
