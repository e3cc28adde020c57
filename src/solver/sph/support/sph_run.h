// SPDX-License-Identifier: MIT
// Running the stages of a step: arguments, timing, skipping after a failure, faults, the report.
#pragma once
#include "solver/sph/sph_state.h"

typedef struct firn_sph_run {
    firn_sph* m;
    firn_result result;  // of the first stage that failed
    firn_error* error;
} firn_sph_run;

firn_sph_run firn_sph_run_begin(firn_sph* m, firn_error* error);
void firn_sph_run_prepare(firn_sph_run* run, double time, double dt_limit, double dt_scale);
// Times the stage, skips it after a failure, keeps the first failure.
void firn_sph_run_stage(firn_sph_run* run, firn_sph_stage stage);
// Counts the step, fills the report.
firn_result firn_sph_run_end(firn_sph_run* run, firn_step_report* out_report);
