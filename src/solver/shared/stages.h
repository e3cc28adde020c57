// SPDX-License-Identifier: MIT
// Running the stages of a step in order: each is timed, and after a failure the rest are skipped.
// Then the report.
#pragma once
#include "solver/shared/base.h"

typedef struct firn_stages {
    void* self;  // the solver's struct, which begins with a firn_solver_base
    firn_result (*run)(void* self, int stage, firn_error* error);
    firn_result result;  // of the first stage that failed
    firn_error* error;   // its message
} firn_stages;

// Begins a step: clears the timers.
firn_stages firn_stages_begin(void* self,
                              firn_result (*run)(void* self, int stage, firn_error* error),
                              firn_error* error);
// Stage 0 of every solver is `prepare`; the arguments are those of firn_solver.step.
void firn_stages_prepare(firn_stages* stages, double time, double dt_limit, double dt_scale);
// Runs a stage unless one has failed, and adds its time to base.stage_seconds.
void firn_stages_run(firn_stages* stages, int stage);

// What stats.csv sums up, over the particles of one chunk of fixed size or one block. Chunks are
// added in order: the same bits for any number of threads.
typedef struct firn_sums {
    double mass, momentum[3], kinetic, potential, elastic;
    double plastic_min, plastic_max;
} firn_sums;

// A report filled from the base; energies 0, J_P 1.
firn_step_report firn_report_begin(const firn_solver_base* base);
void firn_report_add(firn_step_report* report, const firn_sums* sums, firn_local count);
// The same for blocks that may be on several ranks: sums without rounding (math/exact_sum.h) over
// the blocks of all of them, so that they do not depend on who has which. `comm` null: these are
// all.
void firn_report_add_ranks(firn_step_report* report, const firn_sums* sums, firn_local count,
                           firn_comm* comm);
