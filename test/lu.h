// SPDX-License-Identifier: MIT
// Small dense systems in double, for tests of what solves them otherwise.
#pragma once
#include <math.h>

// Solves A x = b by Gauss elimination with row pivots; A [n][n] by rows is destroyed, x overwrites
// b. False: singular.
static inline int lu_solve(double* A, double* b, int n)
{
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(A[r * n + c]) > fabs(A[best * n + c])) best = r;
        if (!(fabs(A[best * n + c]) > 0)) return 0;
        for (int k = 0; k < n && best != c; k++) {
            const double swap = A[c * n + k];
            A[c * n + k] = A[best * n + k];
            A[best * n + k] = swap;
        }
        const double swap = b[c];
        b[c] = b[best];
        b[best] = swap;
        for (int r = c + 1; r < n; r++) {
            const double f = A[r * n + c] / A[c * n + c];
            for (int k = c; k < n; k++) A[r * n + k] -= f * A[c * n + k];
            b[r] -= f * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) b[r] -= A[r * n + k] * b[k];
        b[r] /= A[r * n + r];
    }
    return 1;
}
