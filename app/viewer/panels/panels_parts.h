// SPDX-License-Identifier: MIT
// What the panels share, for panels/*.c only.
#pragma once
#include "viewer/gui/gui.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/scene_values.h"
#include "viewer/source/history.h"

struct view_panels {
    gui* gui;              // owned
    view_history history;  // of the plots
    bool has_stats;        // the history is that of a run's stats.csv
    uint64_t seen;         // version of the last snapshot in the history
    bool held;             // a mouse button went down on the panels
    double last;           // [s] of the session's clock at the last update
    view_scene_values values;
    bool describing;  // the scene's parameters were requested
    bool measuring;   // the source counts fragments
    view_session* session;
};

// One panel each: a section of the bar.
void view_panel_run(view_panels* p, view_session* s);
void view_panel_colour(view_panels* p, view_session* s);
void view_panel_particle(view_panels* p, view_session* s);
void view_panel_plots(view_panels* p, view_session* s);
void view_panel_scene(view_panels* p, view_session* s);
void view_panel_save(view_panels* p, view_session* s);
