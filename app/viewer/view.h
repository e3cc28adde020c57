// SPDX-License-Identifier: MIT
// `firn view`: a window on a simulation or a run; or a picture, a film or a script's session
// without one.
#pragma once
#include "firn/firn.h"
#include "viewer/draw/draw.h"

typedef struct view_def {
    firn_scene* scene;  // to simulate; borrowed, tools are added to it; null: a run
    const char* dir;    // the run's folder
    const char* backend;
    int threads;
    int width, height;
    view_style style;
    bool style_may_change;  // to spheres, where a window would be too slow to use
    const char* colour_by;  // null: as the scene's pictures are; "": white
    double speed;
    bool paused;
    bool overlay;        // figures on top
    bool headless;       // no window, and no clock but the pictures' own
    const char* out;     // a picture; null: none
    double time;         // [s] of the picture, or where a replay begins; < 0: not given
    int64_t frame;       // the same by number; < 0: not given
    const char* record;  // a film; null: none
    double seconds;      // of the film; < 0: to the end of the scene or run
    const char* script;  // input from a file; null: none
    bool (*cancelled)(void);
} view_def;

// FIRN_INTERRUPTED: `cancelled` said so. FIRN_REFUSED_NAME: a frame that is not there.
firn_result view_run(const view_def* def, firn_error* out_error);
