// SPDX-License-Identifier: MIT
// A film of what the window shows. Pictures of a film are evenly spaced: what is drawn too slowly
// is shown for longer, and what is drawn too fast is left out, so that a film runs as the world
// does.
#pragma once
#include "firn/play.h"
#include "viewer/draw/stage.h"
#include "viewer/session.h"

typedef struct view_record {
    firn_recording* film;  // null: none is being made
    char path[1024];
    int width, height;
    double fps, begin;  // begin: [s] of the session's clock
    int64_t pictures;
} view_record;

// `path` null: the first free name after the scene's.
firn_result view_record_begin(view_record* r, view_session* s, const char* path, double fps,
                              firn_error* out_error);
// After every picture that was drawn. A window of another size ends the film.
firn_result view_record_add(view_record* r, view_session* s, view_stage* stage,
                            firn_error* out_error);
// Fine where none is being made.
firn_result view_record_end(view_record* r, view_session* s, firn_error* out_error);
