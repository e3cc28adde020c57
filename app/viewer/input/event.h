// SPDX-License-Identifier: MIT
// Keyboard and mouse events, from a window or a script.
#pragma once
#include <stdbool.h>

typedef enum view_event_kind {
    VIEW_EVENT_KEY,
    VIEW_EVENT_PRESS,
    VIEW_EVENT_RELEASE,
    VIEW_EVENT_MOVE,
    VIEW_EVENT_SCROLL,
    VIEW_EVENT_CLOSE
} view_event_kind;

typedef enum view_button { VIEW_LEFT, VIEW_RIGHT, VIEW_MIDDLE } view_button;

// Printable keys are their character, in lower case.
enum {
    VIEW_KEY_ESCAPE = 256,
    VIEW_KEY_LEFT,
    VIEW_KEY_RIGHT,
    VIEW_KEY_HOME,
    VIEW_KEY_END,
    VIEW_KEY_F12,
    VIEW_KEY_BACKSPACE,
    VIEW_KEY_DELETE,
    VIEW_KEY_ENTER,
    VIEW_KEY_TAB,
    VIEW_KEY_LAST = VIEW_KEY_TAB
};

typedef struct view_event {
    view_event_kind kind;
    int key;
    int character;  // that the key types, for text fields; 0: none
    bool repeat;    // the key is held down
    view_button button;
    bool shift, control;
    double x, y;    // [pixels] mouse position from the top left corner
    double scroll;  // notches; > 0: away from the user
} view_event;
