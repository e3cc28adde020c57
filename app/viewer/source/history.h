// SPDX-License-Identifier: MIT
// Values over time for the plots: of the snapshots of a simulation, or of a run's stats.csv. Long
// histories are thinned, so that memory stays bounded.
#pragma once
#include "viewer/source/snapshot.h"

#define VIEW_HISTORY_ROOM 4096

typedef enum view_quantity {
    VIEW_KINETIC,    // [J]
    VIEW_ELASTIC,    // [J]
    VIEW_POTENTIAL,  // [J]
    VIEW_ITERATIONS,
    VIEW_STEP_MS,
    VIEW_QUANTITIES
} view_quantity;

typedef struct view_history {
    int count;
    int every, skipped;               // of the samples one in `every` is stored
    double times[VIEW_HISTORY_ROOM];  // [s] ascending
    double values[VIEW_QUANTITIES][VIEW_HISTORY_ROOM];
    // fragments have times of their own: of frames, or less often than other values
    int fragment_count;
    double fragment_times[VIEW_HISTORY_ROOM];
    double fragments[VIEW_HISTORY_ROOM];
} view_history;

void view_history_clear(view_history* h);
void view_history_add(view_history* h, double time, const double values[VIEW_QUANTITIES]);
// In any order of times: a replay may jump.
void view_history_add_fragments(view_history* h, double time, double fragments);
// Takes a snapshot of a simulation; one from before the last begins again.
void view_history_follow(view_history* h, const view_snapshot* snapshot);
// Reads DIR/stats.csv of a run. False: there is none, or it has other columns.
bool view_history_read(view_history* h, const char* dir);
