// SPDX-License-Identifier: MIT
// Messages of steps that fail: what, where, offending value, what to do.
#pragma once
#include "solver/sph/sph_state.h"

// i: not finite, or outside the range of the cells.
firn_result firn_sph_fault_lost(const firn_sph* m, firn_local i, firn_error* error);
// i: as many neighbours as the lists hold.
firn_result firn_sph_fault_crowded(const firn_sph* m, firn_local i, firn_error* error);
// i: its velocity is not finite or would carry it two spacings in this step.
firn_result firn_sph_fault_runaway(const firn_sph* m, firn_local i, firn_error* error);
// `solve`: "pressure" or "shear".
firn_result firn_sph_fault_solve(const firn_sph* m, const char* solve, int iterations, double error,
                                 firn_error* out_error);
