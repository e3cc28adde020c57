// SPDX-License-Identifier: MIT
// What snow_volume.c (where) and snow_fill.c (how much) share while the volume is built.
#pragma once
#include "render/preview/snow_sample.h"

typedef struct snow_build {
    firn_snow_volume* volume;
    const firn_snow_points* points;
    int threads;
    int32_t window;     // cells in the window
    int32_t* cell_of;   // owned; [particle]: window cell, -1: outside
    firn_local* order;  // owned; particles sorted by cell
    int32_t* start;     // owned; [window + 1]: cell c has order[start[c]] .. order[start[c+1]-1]
    int32_t* full;      // owned; [full_count]: cells with particles, ascending
    int32_t full_count;
} snow_build;

// The window cell at p, -1 outside or in the outermost layer.
int32_t firn_snow_window_cell(const firn_snow_volume* v, firn_grid_point p);
firn_result firn_snow_fill(const snow_build* b, firn_error* error);
firn_result firn_snow_no_memory(firn_error* error);
