// SPDX-License-Identifier: MIT
// Conjugate residuals for operators that are self-adjoint in a weighted inner product
// <a, b> = sum_i m_i a_i . b_i. Stomakhin 2013 solves eq. 9 with it: the system is symmetric in the
// *mass* product only, and may be indefinite, which CR tolerates and CG does not (VALIDATION T13,
// T17).
#pragma once
#include "core/result.h"
#include "core/wide.h"

typedef enum firn_cr_reason {
    FIRN_CR_CONVERGED,   // residual below the tolerance
    FIRN_CR_ITERATIONS,  // out of iterations
    FIRN_CR_STALLED      // <r, Ar> or <Ap, Ap> vanished before convergence: singular direction
} firn_cr_reason;

typedef struct firn_cr_args {
    firn_local count;          // vector entries, each of four reals (the fourth is carried, 0)
    const firn_real4* weight;  // m_i in the fourth lane; entries with weight 0 do not count
    const uint8_t* fixed;      // [count]; not 0: projected out, keeps its value; null: none
    void* self;                // handed to `apply`
    // out = A in; 0 at fixed entries and at entries of weight 0.
    void (*apply)(void* self, const firn_real4* in, firn_real4* out);
    int max_iterations;
    double tolerance;   // stop when |r| <= tolerance * max(|b|, size_floor), weighted norms
    double size_floor;  // below this a right-hand side counts as that large
    int threads;
    firn_real4 *r, *p, *Ar, *Ap;  // scratch [count]
    double* partial;              // scratch [2 * firn_cr_partials(count)]
} firn_cr_args;

typedef struct firn_cr_result {
    int iterations;
    double residual;  // |r| / max(|b|, size_floor) at the end; 0 when b is 0
    firn_cr_reason reason;
} firn_cr_result;

// On entry x is the guess (at fixed entries: the value, which stays bit for bit), b the right-hand
// side. On exit x is the solution.
firn_cr_result firn_cr_solve(const firn_cr_args* args, const firn_real4* b, firn_real4* x);
// Length of the arrays of partial sums.
firn_local firn_cr_partials(firn_local count);
// sum_i m_i a_i . b_i, always added in the same order.
double firn_cr_dot(const firn_cr_args* args, const firn_real4* a, const firn_real4* b);
