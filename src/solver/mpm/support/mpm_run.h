// SPDX-License-Identifier: MIT
// Running the stages of a step: timing, skipping after a failure, faults, the report.
#pragma once
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_run {
    firn_mpm* m;
    firn_result result;  // of the first stage that failed
    firn_error* error;
    double dt_limit;  // time to the end of the frame [s]
} firn_mpm_run;

firn_mpm_run firn_mpm_run_begin(firn_mpm* m, firn_error* error);
void firn_mpm_run_prepare(firn_mpm_run* run, double time, double dt_limit, double dt_scale);
// Times the stage, skips it after a failure, keeps the first failure.
void firn_mpm_run_stage(firn_mpm_run* run, firn_mpm_stage stage);
// Counts the step, fills the report.
firn_result firn_mpm_run_end(firn_mpm_run* run, firn_step_report* out_report);
