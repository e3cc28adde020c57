// SPDX-License-Identifier: MIT
// Messages of steps that fail, the same on CPU and GPU.
#pragma once
#include "solver/mpm/mpm_state.h"
#include "solver/shared/fault.h"

// The value is J_P.
firn_culprit firn_mpm_culprit_of(const firn_mpm* m, firn_local p);
// All return FIRN_BROKEN_DIVERGED.
firn_result firn_mpm_fault_inverted(const firn_mpm* m, const firn_culprit* p, firn_error* error);
firn_result firn_mpm_fault_runaway(const firn_mpm* m, const firn_culprit* p, firn_error* error);
firn_result firn_mpm_fault_lost(const firn_mpm* m, const firn_culprit* p, firn_error* error);
// The solve did not converge: m->iterations, m->residual.
firn_result firn_mpm_fault_solve(const firn_mpm* m, bool stalled, firn_error* error);
