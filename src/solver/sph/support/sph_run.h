// SPDX-License-Identifier: MIT
// The stages of a step, run by solver/shared/stages.h, and the report after them.
#pragma once
#include "solver/sph/sph_state.h"

firn_stages firn_sph_run_begin(firn_sph* m, firn_error* error);
// Counts the step, fills the report.
firn_result firn_sph_run_end(firn_stages* run, firn_step_report* out_report);
// Warns of a solve that did not converge, at most every 200 steps.
void firn_sph_warn(firn_sph* m, const char* solve, int iterations, double error, double goal);
