// SPDX-License-Identifier: MIT
// Records what the window shows as a film of constant frame rate: pictures are repeated if drawing
// is too slow and skipped if it is too fast, so that the film plays in real time.
#pragma once
#include "firn/firn.h"
#include "viewer/draw/renderer.h"
#include "viewer/session.h"

typedef struct view_record {
    firn_recording* film;  // null: not recording
    char* path;            // owned
    int width, height;
    double fps, begin;  // begin: [s] of the session's clock
    int64_t pictures;
} view_record;

// `path` null: the first unused name after the scene's.
firn_result view_record_begin(view_record* r, view_session* s, const char* path, double fps,
                              firn_error* out_error);
// Call after every drawn picture. Ends the film if the window's size has changed.
firn_result view_record_add(view_record* r, view_session* s, view_renderer* renderer,
                            firn_error* out_error);
// No-op if not recording.
firn_result view_record_end(view_record* r, view_session* s, firn_error* out_error);
