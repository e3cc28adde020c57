// SPDX-License-Identifier: MIT
// The stages of a step, run by solver/shared/stages.h, and the report after them.
#pragma once
#include "solver/grains/grains_state.h"

firn_stages firn_grains_run_begin(firn_grains* m, firn_error* error);
// Whether steps 2 to 6 are one pass in this step: SIMD loops, and no heat.
bool firn_grains_fuses(const firn_grains* m);
// Counts the step, fills the report.
firn_result firn_grains_run_end(firn_stages* run, firn_step_report* out_report);
