// SPDX-License-Identifier: MIT
// Conjugate residuals. Sums run over fixed pieces of 1024 entries, each added by one thread, the
// pieces then added in order: the same bits for any number of threads.
#include "linalg/cr.h"

#include <math.h>

#define PIECE 1024

firn_local firn_cr_partials(firn_local count)
{
    return count / PIECE + 1;
}

static double weighted(firn_real4 a, firn_real4 b, firn_real4 weight)
{
    const firn_real4 ab = a * b;
    return (double)weight[3] * ((double)ab[0] + (double)ab[1] + (double)ab[2]);
}

static firn_local piece_end(firn_local count, firn_local piece)
{
    const firn_local end = (piece + 1) * PIECE;
    return end < count ? end : count;
}

static double add_up(const double* partial, firn_local pieces)
{
    double sum = 0;
    for (firn_local k = 0; k < pieces; k++) sum += partial[k];
    return sum;
}

double firn_cr_dot(const firn_cr_args* a, const firn_real4* u, const firn_real4* v)
{
    const firn_local pieces = firn_cr_partials(a->count);
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local k = 0; k < pieces; k++) {
        double sum = 0;
        for (firn_local i = k * PIECE; i < piece_end(a->count, k); i++)
            sum += weighted(u[i], v[i], a->weight[i]);
        a->partial[k] = sum;
    }
    return add_up(a->partial, pieces);
}

// x += alpha p, r -= alpha Ap; gives <r, r>.
static double move_along(const firn_cr_args* a, firn_real4* x, firn_real alpha)
{
    const firn_local pieces = firn_cr_partials(a->count);
    const firn_real4 plus = firn_real4_all(alpha), minus = firn_real4_all(-alpha);
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local k = 0; k < pieces; k++) {
        double sum = 0;
        for (firn_local i = k * PIECE; i < piece_end(a->count, k); i++) {
            x[i] += plus * a->p[i];
            a->r[i] += minus * a->Ap[i];
            sum += weighted(a->r[i], a->r[i], a->weight[i]);
        }
        a->partial[k] = sum;
    }
    return add_up(a->partial, pieces);
}

// p = r + beta p, Ap = Ar + beta Ap; gives <Ap, Ap>.
static double turn(const firn_cr_args* a, firn_real beta)
{
    const firn_local pieces = firn_cr_partials(a->count);
    const firn_real4 by = firn_real4_all(beta);
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local k = 0; k < pieces; k++) {
        double sum = 0;
        for (firn_local i = k * PIECE; i < piece_end(a->count, k); i++) {
            a->p[i] = a->r[i] + by * a->p[i];
            a->Ap[i] = a->Ar[i] + by * a->Ap[i];
            sum += weighted(a->Ap[i], a->Ap[i], a->weight[i]);
        }
        a->partial[k] = sum;
    }
    return add_up(a->partial, pieces);
}

// r = b - A x on free entries.
static void first_residual(const firn_cr_args* a, const firn_real4* b, const firn_real4* x)
{
    a->apply(a->self, x, a->Ap);
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local i = 0; i < a->count; i++) {
        const bool is_free = a->weight[i][3] > 0 && (a->fixed == NULL || a->fixed[i] == 0);
        a->r[i] = is_free ? b[i] - a->Ap[i] : (firn_real4){0, 0, 0, 0};
    }
}

firn_cr_result firn_cr_solve(const firn_cr_args* a, const firn_real4* b, firn_real4* x)
{
    firn_cr_result out = {0, 0, FIRN_CR_CONVERGED};
    if (a->count == 0) return out;  // scratch may be null
    double size = sqrt(firn_cr_dot(a, b, b));
    if (!(size > 0)) return out;
    size = fmax(size, a->size_floor);
    first_residual(a, b, x);
    double rr = firn_cr_dot(a, a->r, a->r);
    out.residual = sqrt(rr) / size;
    if (!(out.residual > a->tolerance)) return out;
    a->apply(a->self, a->r, a->Ar);
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local i = 0; i < a->count; i++) {
        a->p[i] = (firn_real4){0, 0, 0, 0};
        a->Ap[i] = (firn_real4){0, 0, 0, 0};
    }
    double rAr = firn_cr_dot(a, a->r, a->Ar), beta = 0;
    for (;;) {
        const double ApAp = turn(a, (firn_real)beta);
        if (!(ApAp > 0) || !(fabs(rAr) > 1e-14 * sqrt(rr * ApAp))) {
            out.reason = FIRN_CR_STALLED;
            return out;
        }
        rr = move_along(a, x, (firn_real)(rAr / ApAp));
        out.iterations++;
        out.residual = sqrt(rr) / size;
        if (!(out.residual > a->tolerance)) return out;
        if (out.iterations >= a->max_iterations) {
            out.reason = FIRN_CR_ITERATIONS;
            return out;
        }
        a->apply(a->self, a->r, a->Ar);
        const double rAr_new = firn_cr_dot(a, a->r, a->Ar);
        beta = rAr_new / rAr;
        rAr = rAr_new;
    }
}
