// SPDX-License-Identifier: MIT
// Shared by the two stages of building the volume: layout (snow_volume.c), values (snow_fill.c).
#pragma once
#include "render/preview/snow/snow_sample.h"

typedef struct snow_build {
    firn_snow_volume* volume;
    const firn_snow_points* points;
    int32_t window;     // cells in the window
    int32_t* cell_of;   // owned; [particle]: window cell, -1: outside
    firn_local* order;  // owned; particles sorted by cell
    int32_t* start;     // owned; [window + 1]: cell c has order[start[c]] .. order[start[c+1]-1]
    int32_t* full;      // owned; [full_count]: cells with particles, ascending
    int32_t full_count;
} snow_build;

// Index of the window cell at p; -1 outside the window or in its outermost layer.
int32_t firn_snow_window_cell(const firn_snow_volume* v, firn_grid_point p);
firn_result firn_snow_fill(const snow_build* b, firn_error* error);
firn_result firn_snow_no_memory(firn_error* error);
