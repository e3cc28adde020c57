// SPDX-License-Identifier: MIT
// A call of firn_render: what is wanted, of which run, and how far it is.
//
//     render_run.c       the list: run, scene, plan, pictures, film
//     render_plan.c      which frames
//     render_settings.c  the scene, and settings as a text
//     render_wait.c      frames that the run has not written yet
//     render_picture.c   one picture: is it there already, made, written
//     render_film.c      the film
#pragma once
#include "core/log.h"
#include "firn/firn.h"
#include "output/run/cache.h"
#include "render/path/picture.h"
#include "scene/data/scene.h"
#include "sim/render/render_plan.h"

#define FIRN_RENDER_PATH 4096  // bytes of a path

typedef struct firn_render_job {
    const firn_render_def* def;  // borrowed
    firn_log log;
    int threads;
    firn_cache cache;  // the run; read again while waiting
    firn_scene_data scene;
    char* settings;   // owned: render_settings.h
    uint64_t origin;  // render_settings.h
    firn_render_plan plan;
    char name[128];                        // pictures are OUT/NAME.0001.png
    char out_dir[FIRN_RENDER_PATH - 256];  // OUT
    int64_t todo;                          // pictures still to be made, as far as is known
    double start;                          // [s]
    double picture_seconds;                // of the pictures that were made
    int64_t frame;                         // being made
    double frame_start;                    // [s]
    firn_picture_progress last;            // of the picture being made
    bool stopped;                          // `cancelled` said so
    firn_render_summary* summary;          // borrowed
} firn_render_job;

// Has `cancelled` said so? Once it has, it stays so.
bool firn_render_stopped(firn_render_job* job);
// OUT/NAME.0001.ext
void firn_render_path(const firn_render_job* job, int64_t frame, const char* extension,
                      char out_path[FIRN_RENDER_PATH]);

// render_wait.c: opens the run; with `follow` it may have just begun. FIRN_REFUSED_NAME: no run.
firn_result firn_render_wait_run(firn_render_job* job, firn_error* error);
// Until the manifest has the frame. Does nothing when it has.
firn_result firn_render_wait_frame(firn_render_job* job, int64_t frame, firn_error* error);

typedef enum firn_picture_state {
    FIRN_PICTURE_MISSING,  // or its .exr is, when that is wanted
    FIRN_PICTURE_DONE,     // made with these settings of this frame
    FIRN_PICTURE_OLD,      // the frame or the scene is another one now
    FIRN_PICTURE_OTHER,    // other settings; `why` says which
    FIRN_PICTURE_FOREIGN   // it has no notes of ours
} firn_picture_state;
// The state of a picture. A frame that the run has not written yet is not compared.
firn_result firn_render_look(const firn_render_job* job, int64_t frame,
                             firn_picture_state* out_state, char* out_why, size_t size,
                             firn_error* error);
// Makes and writes the picture of a frame that was read. FIRN_INTERRUPTED: nothing was written.
firn_result firn_render_picture(firn_render_job* job, const firn_frame* frame, firn_error* error);

// render_film.c: the film of the plan's pictures; fills summary->film. What cannot be made is
// logged.
void firn_render_film(firn_render_job* job);
