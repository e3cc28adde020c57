// SPDX-License-Identifier: MIT
// State of a window, or of a headless session: what is shown, the camera, and mouse interaction.
// Owned by the window's thread.
#pragma once
#include "viewer/draw/draw.h"
#include "viewer/input/event.h"
#include "viewer/input/orbit.h"
#include "viewer/source/colouring.h"
#include "viewer/source/source.h"

typedef enum view_drag {
    VIEW_DRAG_NONE,
    VIEW_DRAG_ORBIT,
    VIEW_DRAG_PAN,
    VIEW_DRAG_COLLIDER,
    VIEW_DRAG_TIMELINE
} view_drag;

// Ball and plow, and the collider that the mouse drags.
typedef struct view_tools {
    bool ball_on, plow_on;
    double ball_size, plow_size;         // [m]
    int held;                            // collider; -1: none
    view_vec hold;                       // grab point relative to its origin [m]
    view_vec plane_point, plane_normal;  // of the drag plane
    bool over_ground;                    // dragged at constant height above the ground
    view_vec target;                     // of its origin [m]
    double ball_lift, plow_lift;         // [m] above the resting height
} view_tools;

// Ends of the colour scale that the user chose for a field.
typedef struct view_range {
    char field[32];
    double low, high;
} view_range;

typedef struct view_panels view_panels;

typedef struct view_session {
    view_source* source;       // borrowed
    const view_snapshot* now;  // borrowed from the source; never null

    int width, height;  // [pixels] of the picture
    double ui;          // scale of the overlay; 1 on a screen of standard density
    view_orbit camera;
    view_style style;
    bool shadows, overlay, help;
    view_colouring colouring;
    view_map map;
    view_range ranges[VIEW_FIELDS_MAX];
    int range_count;

    view_panels* panels;  // borrowed; null: none
    bool panels_on;

    bool playing;
    double speed;

    view_drag drag;
    double mouse_x, mouse_y;
    double press_x, press_y;  // where the drag began
    bool has_picked;
    int64_t picked;  // id of the particle
    view_tools tools;

    bool lockstep;      // simulated time does not follow the wall clock: do not show rates
    double clock;       // [s] session time since the start
    double frame_rate;  // 0: unknown
    double celsius;     // requested air temperature; NaN: none
    bool recording;
    bool quit;
    bool wants_screenshot, wants_record, wants_scene, wants_camera;  // with the next picture
    view_change changes[VIEW_CHANGES_MAX];  // of the scene's keys, since the start
    int change_count;
    bool gravity_changed, wind_changed;
    char style_note[128];  // why the style was changed; "": it was not
    char message[320];     // shown until message_until
    double message_until;  // [s] of `clock`
    uint64_t events;       // number so far; each may require a redraw
} view_session;

// Radius of particles that have none of their own, relative to their spacing: leaves no gaps.
#define VIEW_COVER 0.58

// Overlay scale, smaller in small pictures; `screen`: the screen's content scale.
static inline double view_session_ui(int width, int height, double screen)
{
    return screen * view_clamp(fmin(width / (960 * screen), height / (540 * screen)), 0.6, 1);
}

// Shows a message for a few seconds.
void view_session_show_message(view_session* s, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void view_session_set_colouring(view_session* s, const view_colouring* colouring);
