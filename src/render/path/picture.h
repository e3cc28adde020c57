// SPDX-License-Identifier: MIT
// Path-traces one frame: builds the medium from particles, traces paths, accumulates them in a
// film. Bitwise equal for any number of threads, unless the time limit ends it.
#pragma once
#include "math/vec3.h"
#include "render/path/film.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

typedef struct firn_picture_snow {
    const firn_vec3* x;       // [m]
    const firn_vec3* v;       // [m/s]; null: no motion blur
    const firn_real* mass;    // [kg]; null: equal, 8 per cell have the density of render.medium
    const uint32_t* id;       // which carry the grain of the snow; null: the indices
    const uint8_t* material;  // null: all are the scene's only material, or snow if it has several
    firn_local count;
    double cell;        // [m] of the simulation
    double time;        // [s]
    double frame_time;  // [s] frame interval; the shutter is a fraction of it
} firn_picture_snow;

typedef struct firn_picture_progress {
    int64_t passes, passes_max;  // samples per pixel, done and requested
    double noise;                // rms relative standard error of the pixels
    double seconds;
} firn_picture_progress;

typedef struct firn_visible firn_visible;                  // visible/visible.h
typedef struct firn_picture_machine firn_picture_machine;  // machine/picture_machine.h

typedef struct firn_picture_options {
    // Called between passes in the caller's thread; false: stop, the film holds the samples so far.
    // Null: not called.
    bool (*progress)(void* user, const firn_picture_progress* progress);
    void* user;
    const firn_picture_machine* machine;  // what traces the paths; null: the CPU
    int device;                           // of a GPU: its number
    firn_visible* visible;                // if not null: created from the first paths (visible.h)
} firn_picture_options;

typedef struct firn_picture_stats {
    int64_t paths, passes;
    int64_t events, lookups;  // real collisions in the snow; tentative ones, incl. shadow rays
    int64_t bounces, rays;    // at surfaces; rays traced against surfaces
    double noise;             // rms relative standard error of the pixels
    bool stopped;             // by the progress function
    int64_t dropped;          // non-finite samples; more than 0 is a bug
    double seconds_build, seconds_trace;
    int64_t bytes;  // of the medium
} firn_picture_stats;

// Camera, lights and sampling are taken from `scene->render`. `options` may be null. Creates
// `out_film`.
firn_result firn_picture_trace(const firn_scene_data* scene, const firn_picture_snow* snow,
                               const firn_picture_options* options, firn_film* out_film,
                               firn_picture_stats* out_stats, firn_error* error);
