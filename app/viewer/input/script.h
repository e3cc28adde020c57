// SPDX-License-Identifier: MIT
// Synthetic input, for tests and tutorials: a text file, one action a line.
//     key NAME                     p, space, left, f12, [ …
//     press left|right|middle X Y [shift] [control]
//     move X Y                     release left|right|middle     scroll NOTCHES
//     glide X Y SECONDS            the mouse moves there evenly
//     wait SECONDS                 screenshot FILE.png           particles FILE.csv
//     bodies FILE.csv              quit
// `#` begins a comment. Lines become the same events as a window's.
#pragma once
#include "firn/types.h"
#include "viewer/draw/stage.h"
#include "viewer/session.h"

typedef struct view_script view_script;

// Reads and checks the whole file. Refused: file, line and word.
firn_result view_script_read(const char* path, view_script** out_script, firn_error* out_error);
void view_script_free(view_script* script);
// Does what is due at the session's clock; called before a picture is drawn.
void view_script_before(view_script* script, view_session* s);
// Does what needs the picture that was just drawn. Refused: a file cannot be written.
firn_result view_script_after(view_script* script, view_session* s, view_stage* stage,
                              firn_error* out_error);
// What is due needs the picture.
bool view_script_waits(const view_script* script);
bool view_script_is_done(const view_script* script);
