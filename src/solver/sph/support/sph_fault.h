// SPDX-License-Identifier: MIT
// Messages of steps that fail: what, where, offending value, what to do.
#pragma once
#include "solver/shared/fault.h"
#include "solver/sph/sph_state.h"

// Particle i of the host's.
firn_culprit firn_sph_culprit_of(const firn_sph* m, firn_local i);
// The first particle with a value that is not finite; else the fastest. There is one.
firn_culprit firn_sph_suspect(const firn_sph* m);
// A particle that is not finite, or outside the range of the cells.
firn_result firn_sph_fault_lost(const firn_sph* m, const firn_culprit* p, firn_error* error);
// It has as many neighbours as the lists hold.
firn_result firn_sph_fault_crowded(const firn_sph* m, const firn_culprit* p, firn_error* error);
// Its velocity is not finite or would carry it two spacings in this step.
firn_result firn_sph_fault_runaway(const firn_sph* m, const firn_culprit* p, firn_error* error);
// `solve`: "pressure" or "shear"; `suspect`: firn_sph_suspect, null where nobody knows.
firn_result firn_sph_fault_solve(const firn_sph* m, const char* solve, int iterations, double error,
                                 const firn_culprit* suspect, firn_error* out_error);
