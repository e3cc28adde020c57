// SPDX-License-Identifier: MIT
// Small systems with a dense matrix, for tests of the linear solvers.
#pragma once
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "linalg/cr.h"
#include "seed.h"

// Residual over right-hand side at which solves stop: ten roundings of float.
#ifdef FIRN_DOUBLE
#define SOLVED 1e-10
#else
#define SOLVED 1e-6
#endif

// A = M^-1 K with a symmetric K = B + B^T + shift I over the 3*count unknowns: self-adjoint in the
// product weighted by M, as the snow's system is.
typedef struct dense {
    firn_local count;
    double (*K)[300];  // [3 count]
    firn_vec4* weight;
    uint8_t* fixed;
    int applied;
} dense;

// <u, v>, weighted.
static inline double dense_dot(const dense* d, const firn_vec4* u, const firn_vec4* v)
{
    double sum = 0;
    for (firn_local i = 0; i < d->count; i++)
        sum += firn_cr_components(firn_cr_weighted(u[i], v[i], d->weight[i]));
    return sum;
}

static inline double apply_dense(void* self, const firn_vec4* in, firn_vec4* out)
{
    dense* d = self;
    d->applied++;
    for (firn_local i = 0; i < d->count; i++) {
        out[i] = (firn_vec4){0, 0, 0, 0};
        const double m = (double)d->weight[i][3];
        if (!(m > 0) || d->fixed[i] != 0) continue;
        for (int a = 0; a < 3; a++) {
            double sum = 0;
            for (firn_local j = 0; j < d->count; j++)
                for (int b = 0; b < 3; b++) sum += d->K[3 * i + a][3 * j + b] * (double)in[j][b];
            out[i][a] = (firn_real)(sum / m);
        }
    }
    return dense_dot(d, in, out);
}

typedef struct problem {
    dense d;
    firn_cr_args args;
    firn_vec4 *b, *x;
    void* all[14];
    int all_count;
} problem;

static inline void* take(problem* p, size_t count, size_t size)
{
    void* block = firn_alloc(count, size);
    assert_non_null(block);
    p->all[p->all_count++] = block;
    return block;
}

static inline problem make(firn_local count)
{
    problem p = {.d = {.count = count}};
    const size_t n = (size_t)count;
    p.d.K = take(&p, 3 * n, sizeof *p.d.K);
    p.d.weight = take(&p, n, sizeof(firn_vec4));
    p.d.fixed = take(&p, n, 1);
    p.b = take(&p, n, sizeof(firn_vec4));
    p.x = take(&p, n, sizeof(firn_vec4));
    p.args = (firn_cr_args){.count = count,
                            .weight = p.d.weight,
                            .fixed = p.d.fixed,
                            .apply = apply_dense,
                            .max_iterations = 1000,
                            .tolerance = SOLVED / 10,
                            .r = take(&p, n, sizeof(firn_vec4)),
                            .p = take(&p, n, sizeof(firn_vec4)),
                            .Az = take(&p, n, sizeof(firn_vec4)),
                            .Ap = take(&p, n, sizeof(firn_vec4)),
                            .partial = take(&p, (size_t)count / FIRN_CR_CHUNK + 1, 8)};
    return p;
}

static inline void drop(problem* p)
{
    for (int k = 0; k < p->all_count; k++) firn_free(p->all[k]);
}

// Fills K (symmetric, diagonal `shift` plus noise), weights over more than a decade, a random b.
static inline void fill(problem* p, uint64_t seed, double shift, double mass)
{
    any_source r = any_start(seed);
    const int n = 3 * (int)p->d.count;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const double k = mass * (any_between(&r, -0.3, 0.3) + (i == j ? shift : 0));
            p->d.K[i][j] = k;
            p->d.K[j][i] = k;
        }
    for (firn_local i = 0; i < p->d.count; i++) {
        p->d.weight[i] =
            (firn_vec4){9, 9, 9, (firn_real)(mass * pow(10, any_between(&r, -0.7, 0.7)))};
        for (int a = 0; a < 3; a++) p->b[i][a] = (firn_real)any_between(&r, -1, 1);
    }
}

// |b - A x| / |b| in the weighted norm, afresh, over free entries.
static inline double true_residual(problem* p)
{
    firn_vec4* Ax = p->args.Ap;
    apply_dense(&p->d, p->x, Ax);
    double rr = 0, bb = 0;
    for (firn_local i = 0; i < p->d.count; i++) {
        const double m = (double)p->d.weight[i][3];
        for (int a = 0; a < 3; a++) {
            const double b = (double)p->b[i][a];
            bb += m * b * b;
            if (p->d.fixed[i] == 0 && m > 0) rr += m * pow(b - (double)Ax[i][a], 2);
        }
    }
    return sqrt(rr / bb);
}

static inline firn_cr_result run(problem* p)
{
    p->args.self = &p->d;
    return firn_cr_solve(&p->args, p->b, p->x);
}

static inline bool finite_everywhere(const problem* p)
{
    for (firn_local i = 0; i < p->d.count; i++)
        for (int a = 0; a < 3; a++)
            if (!firn_is_finite(p->x[i][a])) return false;
    return true;
}

// A diagonal operator over many entries, so that sums run over many chunks and threads.
static inline double apply_diagonal(void* self, const firn_vec4* in, firn_vec4* out)
{
    const problem* p = self;
    for (firn_local i = 0; i < p->d.count; i++)
        out[i] = in[i] * firn_vec4_all(1 + (firn_real)(i % 97) / 50);
    return dense_dot(&p->d, in, out);
}
