// SPDX-License-Identifier: MIT
// A path-traced picture of one frame: particles become a medium, paths are followed, the film
// fills. The same bits for any number of threads, unless a limit of seconds ends it.
#pragma once
#include "render/path/film.h"
#include "scene/data/scene.h"

typedef struct firn_picture_snow {
    const firn_vec3* x;  // [m]
    const firn_vec3* v;  // [m/s]; null: no motion blur
    const firn_real*
        mass;  // [kg]; null: all alike, eight in a cell as dense as render.medium.density
    firn_local count;
    double cell;        // [m] of the simulation
    double time;        // [s]
    double frame_time;  // [s] from frame to frame: what the shutter is a share of
} firn_picture_snow;

typedef struct firn_picture_progress {
    int64_t passes, passes_max;  // samples per pixel, done and wanted
    double noise;                // share of the pixels' light, rms
    double seconds;
} firn_picture_progress;

typedef struct firn_picture_options {
    int threads;  // 0: all cores
    // Called between passes by the caller's thread; false: stop here, the film holds what there is.
    bool (*progress)(void* user, const firn_picture_progress* progress);
    void* user;
} firn_picture_options;

typedef struct firn_picture_stats {
    int64_t paths, passes;
    int64_t events, lookups;  // scatterings in the snow; tentative ones, shadow rays' too
    int64_t bounces, asked;   // off surfaces; rays traced against bodies
    double noise;             // share of the pixels' light, rms
    bool stopped;             // by the progress function
    int64_t dropped;          // samples that were not finite: 0, or there is a bug
    double seconds_build, seconds_trace;
    int64_t bytes;  // of the medium
} firn_picture_stats;

// `scene->render` says everything else. `out_film` is created.
firn_result firn_picture_trace(const firn_scene_data* scene, const firn_picture_snow* snow,
                               const firn_picture_options* options, firn_film* out_film,
                               firn_picture_stats* out_stats, firn_error* error);
