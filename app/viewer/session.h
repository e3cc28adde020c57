// SPDX-License-Identifier: MIT
// All that a window (or a picture without one) is about at a moment: what is shown, from where, and
// what the mouse is doing. The window's thread owns it.
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
    VIEW_DRAG_BODY,
    VIEW_DRAG_TIMELINE
} view_drag;

// The bodies that the mouse can hold.
typedef struct view_tools {
    bool ball_on, plow_on;
    double ball_size, plow_size;         // [m]
    int held;                            // body; -1: none
    view_vec hold;                       // where it is held, from its origin [m]
    view_vec plane_point, plane_normal;  // in which it is dragged
    bool over_ground;                    // it keeps its height above the ground
    view_vec target;                     // of its origin
    double ball_lift, plow_lift;         // [m] above where it would stand
} view_tools;

typedef struct view_session {
    view_source* source;       // owned by whoever made it
    const view_snapshot* now;  // borrowed from the source; never null

    int width, height;  // [pixels] of the picture
    double ui;          // size of words, 1: as on an ordinary screen
    view_orbit camera;
    view_style style;
    bool shadows, overlay, help;
    view_colouring colouring;

    bool playing;
    double speed;

    view_drag drag;
    double mouse_x, mouse_y;
    view_tools tools;

    bool lockstep;      // rates of the clock mean nothing
    double clock;       // [s] of the screen's time since the start
    double frame_rate;  // 0: not known yet
    double celsius;     // wanted of the air; NaN: nobody said
    bool recording;     // a film is being made
    bool quit;
    bool wants_screenshot, wants_record;  // to be done with the next picture
    char message[320];                    // for a moment
    double message_until;                 // [s] of `clock`
    uint64_t events;                      // so far: something may look different after one
} view_session;

// Words are smaller in small pictures; `screen`: the screen's own scale.
static inline double view_session_ui(int width, int height, double screen)
{
    return screen * view_clamp(fmin(width / (960 * screen), height / (540 * screen)), 0.6, 1);
}

// Shows a sentence for a few seconds.
void view_session_say(view_session* s, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void view_session_set_colouring(view_session* s, const view_colouring* colouring);
