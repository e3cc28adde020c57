// SPDX-License-Identifier: MIT
// What the files of the crew share: commands of rank 0 and its state.
#pragma once
#include <string.h>

#include "solver/mpm/ranks/rank_crew.h"
#include "solver/mpm/ranks/rank_fill.h"
#include "solver/mpm/ranks/rank_rows.h"
#include "state/snapshot.h"

// What rank 0 may ask for.
enum {
    FIRN_CREW_STEP = FIRN_COMMAND_SOLVER,
    FIRN_CREW_SNAPSHOT,
    FIRN_CREW_RESTORE,
    FIRN_CREW_GATHER,
    FIRN_CREW_FILL,       // begin to put rows
    FIRN_CREW_PUT,        // rows of a field
    FIRN_CREW_DIVIDE,     // after the last, and after seeding
    FIRN_CREW_FIND_ROWS,  // begin to give rows
    FIRN_CREW_GIVE        // rows of a field
};

// Rows that rank 0 has read ahead.
typedef struct firn_crew_window {
    char* data;  // owned
    int64_t field, first, rows;
} firn_crew_window;

struct firn_mpm_crew {
    firn_comm* comm;      // borrowed
    firn_mpm* mine;       // owned: this rank's share
    firn_mpm_rows* rows;  // owned; null: never read
    firn_crew_window window;
    bool undivided;  // the ranks have rows, wherever these are: not yet those of their blocks
    firn_snapshot snapshot;
    firn_local snapshot_count;
    int64_t snapshot_step;
    firn_local count;          // particles of all ranks
    bool host_newer, fetched;  // as in solver/shared/device_run_own.h
};

static inline firn_mpm_crew* firn_mpm_crew_of(const void* self)
{
    return ((const firn_mpm*)self)->crew;
}

// Rank 0 tells all ranks what to do next, with the command's own struct.
void firn_mpm_crew_order(const firn_mpm_crew* crew, int64_t what, const void* data, size_t bytes);
// New particles for the ranks: begins; puts rows of a field.
firn_result firn_mpm_crew_fill(firn_mpm_crew* crew, firn_local count, firn_error* error);
firn_result firn_mpm_crew_put(firn_mpm_crew* crew, const firn_mpm_rows_order* order,
                              const void* data, firn_error* error);
// The ranks have the particles of rank 0's arrays, where those are the state, and each those of its
// blocks.
firn_result firn_mpm_crew_settle(firn_mpm* m, firn_error* error);
