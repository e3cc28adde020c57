// SPDX-License-Identifier: MIT
// Running the stages of a step: arguments, timing, skipping after a failure, faults, the report.
#pragma once
#include "solver/grains/grains_state.h"

typedef struct firn_grains_run {
    firn_grains* m;
    firn_result result;  // of the first stage that failed
    firn_error* error;
} firn_grains_run;

firn_grains_run firn_grains_run_begin(firn_grains* m, firn_error* error);
void firn_grains_run_prepare(firn_grains_run* run, double time, double dt_limit, double dt_scale);
// Times the stage, skips it after a failure, keeps the first failure.
void firn_grains_run_stage(firn_grains_run* run, firn_grains_stage stage);
// Counts the step, fills the report.
firn_result firn_grains_run_end(firn_grains_run* run, firn_step_report* out_report);
