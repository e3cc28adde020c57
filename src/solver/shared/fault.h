// SPDX-License-Identifier: MIT
// Message of a step that diverges: step, particle, position, material, one more value and the
// likely cause. The same for all solvers, on CPU and GPU.
#pragma once
#include "core/result.h"
#include "math/vec3.h"

typedef struct firn_solver_base firn_solver_base;  // base.h

// The particle at fault. A solver adds one value of its own, such as "density 12 kg/m^3".
typedef struct firn_culprit {
    uint32_t id;
    int material;
    firn_vec3 position, velocity;  // [m], [m/s]
    double value;
} firn_culprit;

// Terms of a solver for its particles.
typedef struct firn_fault_words {
    const char* particle;  // "particle", "grain"
    const char* value;     // what firn_culprit.value is: "density"
    const char* unit;      // " kg/m^3", or empty
} firn_fault_words;

// Returns FIRN_BROKEN_DIVERGED. `what` is wrong with the particle, and the likely `cause`.
firn_result firn_fault(const firn_solver_base* base, const firn_fault_words* words,
                       const firn_culprit* culprit, const char* what, const char* cause,
                       firn_error* error);
