// SPDX-License-Identifier: MIT
// What validation scenes must give: the file expected.csv beside a scene, one row per quantity.
//
//     variant,solver,quantity,from,to,reference,tolerance,unit,run,source
//     gentle,mpm,rate(velocity_x),0.2,0.5,0.5897,2%,m/s^2,quick,g (sin - mu cos)
//
// `variant` default: none; `solver` empty: the scene's; `from` and `to` [s] empty: the whole run;
// `tolerance` in the unit, or in per cent of the reference; `run` quick or full; `source` the law
// or the publication, and "; limit: WHY" where it is known that firn fails.
//
// The file compare.csv beside it says which quantities to set side by side for the three solvers,
// without a reference, and why they differ:
//
//     variant,quantity,from,to,unit,run,why
//     default,last(spread),,,m,quick,grains roll apart
#pragma once
#include "firn/firn.h"

typedef struct verify_row {
    const char* scene;  // borrowed from the list of scenes, as all texts are from their file
    const char *variant, *solver, *quantity, *unit, *source;
    double from, to, reference, tolerance;  // [s]; the tolerance in units of the reference
    bool full;                              // takes minutes to hours: only with --full
    // the outcome
    double value;  // NaN: none
    bool holds;
    char why[200];  // there is no value
} verify_row;

typedef struct verify_list {
    verify_row* rows;  // owned
    int count, capacity;
    char** texts;  // owned files
    int text_count, text_capacity;
    char* scenes;  // owned list of scenes
    int left_out;  // rows of long runs that were not wanted
} verify_list;

// Which rows to read.
typedef struct verify_choice {
    const char* only;  // null: all scenes, else those whose name contains it
    bool full;         // also long runs
    bool compare;      // of compare.csv, VERIFY_SOLVERS rows for each line; else of expected.csv
} verify_choice;

// Why a row is known to fail, after "limit: " in its source; null: nothing is known.
const char* verify_limit(const verify_row* row);

enum { VERIFY_SOLVERS = 3 };
extern const char* const verify_solvers[VERIFY_SOLVERS];

// Reads the rows of the scenes of the folder validation. False: `out_error` says what is wrong.
bool verify_list_read(verify_list* out_list, const verify_choice* choice, firn_error* out_error);
void verify_list_destroy(verify_list* list);
