// SPDX-License-Identifier: MIT
// A rigid body and the snow that moves with it, as one lump: its 6x6 inertia, for C and CUDA.
//
// Velocities V = (v, omega) of the body, about its centre of mass; snow at r from there that the
// body carries along has J V = v + omega x r. The lump resists a change of V with
//
//     A = (m 1, 0; 0, I) + sum_i J_i^T C_i J_i
//
// where C_i is the mass of the snow times the directions in which it follows. A light body in heavy
// snow then gets the velocity that the snow lets it have, in one step. theory/forces.md.
// Symmetric matrices are stored by rows of their lower triangle; everything is in double.
#pragma once
#include "math/vec3.h"

#define FIRN_LUMP_TERMS 21  // of a symmetric 6x6 matrix

FIRN_FN int firn_lump_at(int row, int column)
{
    return row * (row + 1) / 2 + column;
}

// a x b
FIRN_FN void firn_lump_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Adds J^T f, of a force or an impulse f at r: (f, r x f).
FIRN_FN void firn_lump_push(const double r[3], const double f[3], double sum[6])
{
    double turn[3];
    firn_lump_cross(r, f, turn);
    for (int d = 0; d < 3; d++) {
        sum[d] += f[d];
        sum[3 + d] += turn[d];
    }
}

// J V: the velocity at r.
FIRN_FN void firn_lump_velocity(const double V[6], const double r[3], double out[3])
{
    firn_lump_cross(V + 3, r, out);
    for (int d = 0; d < 3; d++) out[d] += V[d];
}

// Adds J^T (along n n^T + across (1 - n n^T)) J of snow at r: it resists with the mass `along` unit
// vector n, and with `across` at right angles to it [kg].
FIRN_FN void firn_lump_carry(const double r[3], const double n[3], double along, double across,
                             double A[FIRN_LUMP_TERMS])
{
    // columns of J: unit vectors, then e_d x r
    const double J[6][3] = {{1, 0, 0},        {0, 1, 0},        {0, 0, 1},
                            {0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
    double on[6];
    for (int c = 0; c < 6; c++) on[c] = J[c][0] * n[0] + J[c][1] * n[1] + J[c][2] * n[2];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            const double all = J[i][0] * J[j][0] + J[i][1] * J[j][1] + J[i][2] * J[j][2];
            A[firn_lump_at(i, j)] += across * all + (along - across) * on[i] * on[j];
        }
}

// A = L L^T. False: A is not positive definite, out_L is not complete.
FIRN_FN bool firn_lump_factor(const double A[FIRN_LUMP_TERMS], double out_L[FIRN_LUMP_TERMS])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            double sum = A[firn_lump_at(i, j)];
            for (int k = 0; k < j; k++)
                sum -= out_L[firn_lump_at(i, k)] * out_L[firn_lump_at(j, k)];
            if (i == j && !(sum > 0)) return false;
            out_L[firn_lump_at(i, j)] = i == j ? sqrt(sum) : sum / out_L[firn_lump_at(j, j)];
        }
    return true;
}

// x <- L^-1 x
FIRN_FN void firn_lump_forward(const double L[FIRN_LUMP_TERMS], double x[6])
{
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[firn_lump_at(i, k)] * x[k];
        x[i] /= L[firn_lump_at(i, i)];
    }
}

// x <- L^-T x
FIRN_FN void firn_lump_backward(const double L[FIRN_LUMP_TERMS], double x[6])
{
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++) x[i] -= L[firn_lump_at(k, i)] * x[k];
        x[i] /= L[firn_lump_at(i, i)];
    }
}

// x <- L^T x
FIRN_FN void firn_lump_transposed(const double L[FIRN_LUMP_TERMS], double x[6])
{
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int k = i; k < 6; k++) sum += L[firn_lump_at(k, i)] * x[k];
        x[i] = sum;
    }
}

// out = A x
FIRN_FN void firn_lump_apply(const double A[FIRN_LUMP_TERMS], const double x[6], double out[6])
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < 6; k++)
            out[i] += A[i >= k ? firn_lump_at(i, k) : firn_lump_at(k, i)] * x[k];
    }
}

// out = A^-1; zero: A is not positive definite.
FIRN_FN void firn_lump_invert(const double A[FIRN_LUMP_TERMS], double out[FIRN_LUMP_TERMS])
{
    double L[FIRN_LUMP_TERMS];
    const bool regular = firn_lump_factor(A, L);
    for (int c = 0; c < 6; c++) {
        double e[6] = {0, 0, 0, 0, 0, 0};
        e[c] = regular ? 1 : 0;
        if (regular) {
            firn_lump_forward(L, e);
            firn_lump_backward(L, e);
        }
        for (int r = c; r < 6; r++) out[firn_lump_at(r, c)] = e[r];
    }
}
