// SPDX-License-Identifier: MIT
// One call of firn_render: its request, the run, and its progress.
//
//     render_run.c       the list of steps: run, scene, plan, pictures, film
//     render_plan.c      selects frames
//     render_settings.c  the scene, and its render settings as text
//     render_wait.c      waits for frames of a run in progress
//     render_picture.c   one picture: check for an existing one, render, write
//     render_film.c      makes the film
#pragma once
#include "core/log.h"
#include "core/paths.h"
#include "firn/firn.h"
#include "output/run/cache.h"
#include "render/path/picture.h"
#include "run/render/render_plan.h"
#include "scene/data/scene.h"

typedef struct firn_render_job {
    const firn_render_def* def;  // borrowed
    int device;                  // number of the GPU that renders; FIRN_DEVICE_CPU: none
    firn_log log;
    firn_cache cache;  // the run; refreshed while waiting
    firn_scene_data scene;
    char* settings;   // owned: render_settings.h
    uint64_t origin;  // render_settings.h
    firn_render_plan plan;
    char name[FIRN_STEM_BYTES];    // pictures are OUT/NAME.0001.png
    char* out_dir;                 // owned; OUT
    int64_t todo;                  // pictures left to render, as far as known
    double start;                  // [s]
    double picture_seconds;        // spent on finished pictures
    int64_t frame;                 // being rendered
    double frame_start;            // [s]
    firn_picture_progress last;    // of the current picture
    bool stopped;                  // `cancelled` returned true
    firn_render_summary* summary;  // borrowed
} firn_render_job;

// True once `cancelled` has returned true.
bool firn_render_stopped(firn_render_job* job);
// OUT/NAME.0001.ext, owned by the caller.
firn_result firn_render_path(const firn_render_job* job, int64_t frame, const char* extension,
                             char** out_path, firn_error* error);

// render_wait.c: opens the run; with `follow`, waits for it to start. FIRN_REFUSED_NAME: no run.
firn_result firn_render_wait_run(firn_render_job* job, firn_error* error);
// Waits until the manifest lists the frame.
firn_result firn_render_wait_frame(firn_render_job* job, int64_t frame, firn_error* error);

typedef enum firn_picture_state {
    FIRN_PICTURE_MISSING,  // no picture, or no .exr although one is requested
    FIRN_PICTURE_DONE,     // rendered from this frame with these settings
    FIRN_PICTURE_OLD,      // the frame or the scene has changed since
    FIRN_PICTURE_OTHER,    // rendered with other settings; `why` says which
    FIRN_PICTURE_FOREIGN   // without firn's metadata
} firn_picture_state;
// Get the state of a picture. Ignores the frame if the run has not written it yet.
firn_result firn_render_look(const firn_render_job* job, int64_t frame,
                             firn_picture_state* out_state, char* out_why, size_t size,
                             firn_error* error);
// Renders and writes the picture of a frame. FIRN_INTERRUPTED: nothing was written.
firn_result firn_render_picture(firn_render_job* job, const firn_frame* frame, firn_error* error);

// render_film.c: makes the film of the plan's pictures; fills summary->film. Failures are logged.
void firn_render_film(firn_render_job* job);
