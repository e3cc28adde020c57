// SPDX-License-Identifier: MIT
// Ball and plow of a live simulation, and motion of dragged colliders. Colliders cannot be added
// to a running simulation: the tools exist from the start, of unit size, parked far below the
// origin, and are moved and scaled by their pose.
#pragma once
#include "firn/firn.h"
#include "viewer/input/follow.h"

#define VIEW_PARK_DEPTH 1000.0  // [m] below the origin

#define VIEW_BALL_FRICTION 0.4
#define VIEW_PLOW_FRICTION 0.1

// Creates the shapes of both, of unit size: a ball around the origin, a blade one metre wide.
firn_result view_tools_shapes(firn_scene* scene, firn_shape_id* out_ball, firn_shape_id* out_blade);
// Adds ball and plow as the scene's last two colliders. Refused: see firn_scene_messages.
firn_result view_tools_add(firn_scene* scene);

typedef enum view_mover_kind {
    VIEW_MOVER_NONE,   // driven by the scene
    VIEW_MOVER_STILL,  // at rest
    VIEW_MOVER_PULL    // follows the mouse
} view_mover_kind;

// Motion of one collider. Owned by the thread that steps.
typedef struct view_mover {
    view_mover_kind kind;
    view_pull pull;
    view_follow follow;
} view_mover;

firn_result view_mover_place(firn_sim* sim, int collider, view_mover* lead, view_vec at, double yaw,
                             double scale);
void view_mover_pull(view_mover* lead, const view_pull* pull);
firn_result view_mover_release(firn_sim* sim, int collider, view_mover* lead);
// Call before advancing by `seconds`, and after `simulated` seconds were really done.
firn_result view_mover_before(firn_sim* sim, int collider, view_mover* lead, double seconds);
void view_mover_after(view_mover* lead, double simulated);
