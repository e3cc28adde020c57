// SPDX-License-Identifier: MIT
// The ball and the plow of a live simulation, and how bodies are led by the mouse. A solver knows
// the bodies that its scene has, and no others: the tools are there from the start, parked far
// below, of unit size, and a pose with a scale brings them up.
#pragma once
#include "firn/firn.h"
#include "firn/play.h"
#include "viewer/input/follow.h"

#define VIEW_PARK_DEPTH 1000.0  // [m] below the origin

// Adds both to the scene; they become the last two bodies. Refused: firn_scene_messages says why.
firn_result view_tools_add(firn_scene* scene);

typedef enum view_lead_kind {
    VIEW_LEAD_NONE,   // moves as the scene says
    VIEW_LEAD_STILL,  // stays where it was left
    VIEW_LEAD_PULL    // follows the mouse
} view_lead_kind;

// How one body is led. Belongs to the thread that steps.
typedef struct view_lead {
    view_lead_kind kind;
    view_pull pull;
    view_follow follow;
} view_lead;

firn_result view_lead_place(firn_sim* sim, int body, view_lead* lead, view_vec at, double yaw,
                            double scale);
void view_lead_pull(view_lead* lead, const view_pull* pull);
firn_result view_lead_let_go(firn_sim* sim, int body, view_lead* lead);
// Before the next `seconds` of the simulation, and after the `simulated` ones that it really did.
firn_result view_lead_before(firn_sim* sim, int body, view_lead* lead, double seconds);
void view_lead_after(view_lead* lead, double simulated);
