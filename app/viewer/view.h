// SPDX-License-Identifier: MIT
// `firn view`: shows a simulation or a run in a window, or headless as a picture, a film or a
// scripted session.
#pragma once
#include "firn/firn.h"
#include "viewer/draw/draw.h"

typedef struct view_def {
    firn_scene* scene;          // to simulate; borrowed, tools are added to it; null: replay a run
    const char* dir;            // folder of the run
    const char* scene_name;     // that `scene` was loaded from, to save it again
    const firn_load_def* load;  // its options; borrowed
    const char* backend;
    int threads;
    int width, height;
    view_style style;
    bool style_may_change;  // to spheres, if the surface is too slow for a window
    const char* colour_by;  // null: as the scene says; "": white
    double speed;
    bool paused;
    bool overlay;        // show figures
    bool panels;         // show panels
    bool headless;       // no window; time advances by a fixed step per picture
    const char* out;     // picture file; null: none
    double time;         // [s] of the picture; < 0: not given
    int64_t frame;       // of the picture; < 0: not given
    const char* record;  // film file; null: none
    double seconds;      // length of the film; < 0: to the end of the scene or run
    const char* script;  // input file; null: none
    bool (*cancelled)(void);
} view_def;

// FIRN_INTERRUPTED: `cancelled` returned true. FIRN_REFUSED_NAME: the run has no such frame.
firn_result view_run(const view_def* def, firn_error* out_error);
