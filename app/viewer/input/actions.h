// SPDX-License-Identifier: MIT
// What keys, mouse and panels do to a session.
#pragma once
#include "viewer/session.h"

#define VIEW_SLOWEST (1.0 / 64)  // speeds: 1/64, 1/32 … 1, 2, 4 … 64 times real time
#define VIEW_FASTEST 64.0
#define VIEW_COLDEST -40.0  // [degC]
#define VIEW_WARMEST 40.0

void view_play(view_session* s, bool playing);
void view_set_speed(view_session* s, double speed);
void view_step(view_session* s, int by);
void view_go_to_end(view_session* s);
void view_restart(view_session* s);
// [degC]; a message where the solver does not simulate heat.
void view_set_temperature(view_session* s, double celsius);
void view_change_heat(view_session* s, double by);
void view_change_style(view_session* s);
void view_toggle_tool(view_session* s, int collider);
void view_toggle_panels(view_session* s);

// Colours.
void view_colour_by_key(view_session* s, int key);
void view_colour_by(view_session* s, const char* field);  // "": white
void view_next_field(view_session* s);                    // after the last: white
void view_next_map(view_session* s);
// Sets the ends of the scale of the present field, and remembers them for it.
void view_set_range(view_session* s, double low, double high);
void view_fit_range(view_session* s);                   // to the values shown now
void view_widen_range(view_session* s, double factor);  // about its middle

// Picks the particle at (x, y) [pixels], or none.
void view_pick_at(view_session* s, double x, double y);
void view_unpick(view_session* s);
