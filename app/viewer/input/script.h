// SPDX-License-Identifier: MIT
// Scripted input, for tests and tutorials: a text file with one action per line.
//     key NAME                     p, space, left, f12, [ …
//     press left|right|middle X Y [shift] [control]
//     move X Y                     release left|right|middle     scroll NOTCHES
//     glide X Y SECONDS            move the mouse there at constant speed
//     wait SECONDS                 screenshot FILE.png           particles FILE.csv
//     colliders FILE.csv           (or: bodies)                  quit
// `#` begins a comment. Actions become the same events as those of a window.
#pragma once
#include "firn/types.h"
#include "viewer/draw/renderer.h"
#include "viewer/session.h"

typedef struct view_script view_script;

// Reads and validates the file. Errors name file, line and word.
firn_result view_script_read(const char* path, view_script** out_script, firn_error* out_error);
void view_script_free(view_script* script);
// Performs the actions that are due at the session's clock; call before a picture is drawn.
void view_script_before(view_script* script, view_session* s);
// Performs actions that need the drawn picture. Refused: a file cannot be written.
firn_result view_script_after(view_script* script, view_session* s, view_renderer* renderer,
                              firn_error* out_error);
// Whether the next action needs a picture.
bool view_script_waits(const view_script* script);
bool view_script_is_done(const view_script* script);
