// SPDX-License-Identifier: MIT
// Conjugate residuals for operators that are self-adjoint in a weighted inner product
// <a, b> = sum_i m_i a_i . b_i. Stomakhin 2013 solves eq. 9 with it: the system is symmetric in the
// *mass* product only, and may be indefinite, which CR tolerates and CG does not (VALIDATION T13,
// T17). With a diagonal preconditioner P it runs on P A, which is self-adjoint in
// <a, P^-1 b>; the stop rule uses the residual of A.
// Header-only, so that the loops are compiled for each SIMD level with the caller's. Sums run over
// fixed chunks, each added by one thread, the chunks then added in order, or as the caller does it:
// the same bits for any number of threads.
#pragma once
#include <math.h>

#include "core/result.h"
#include "core/simd/vec4.h"
#include "core/threads/team.h"

#define FIRN_CR_CHUNK 1024  // entries of a partial sum, unless the caller says otherwise
#define FIRN_CR_GRAIN 4     // chunks worth a part of a loop

typedef enum firn_cr_reason {
    FIRN_CR_CONVERGED,   // residual below the tolerance
    FIRN_CR_ITERATIONS,  // out of iterations
    FIRN_CR_STALLED      // <z, Az> or <Ap, P Ap> vanished before convergence: singular direction
} firn_cr_reason;

typedef struct firn_cr_args {
    firn_local count;         // vector entries, each of four reals (the fourth is carried, 0)
    const firn_vec4* weight;  // m_i in the fourth component; entries with weight 0 do not count
    const uint8_t* fixed;     // [count]; not 0: projected out, keeps its value; null: none
    const firn_vec4* scale;   // P, positive, per component; null: 1
    void* self;               // handed to `apply`
    // out = A in; 0 at fixed entries and at entries of weight 0. Returns <in, out>, summed as
    // firn_cr_dot does.
    double (*apply)(void* self, const firn_vec4* in, firn_vec4* out);
    int max_iterations;
    double tolerance;   // stop when |r| <= tolerance * max(|b|, size_floor), weighted norms
    double size_floor;  // below this a right-hand side counts as that large
    firn_vec4 *r, *p, *Az, *Ap;  // scratch [count]
    firn_vec4* z;                // scratch [count]: P r; not used, may be null, without `scale`
    double* partial;             // scratch [firn_cr_chunks(args)]
    int chunk;                   // entries of a partial sum; 0: FIRN_CR_CHUNK
    // Adds up partial sums, perhaps with those of other processes, which then solve together; null:
    // one after the other.
    double (*add_up)(void* self, const double* partial, firn_local chunks);
} firn_cr_args;

typedef struct firn_cr_result {
    int iterations;
    double residual;  // |r| / max(|b|, size_floor) at the end; 0 when b is 0
    firn_cr_reason reason;
} firn_cr_result;

// Entries of a partial sum.
static inline firn_local firn_cr_chunk_size(const firn_cr_args* a)
{
    return a->chunk > 0 ? a->chunk : FIRN_CR_CHUNK;
}

// Partial sums.
static inline firn_local firn_cr_chunks(const firn_cr_args* a)
{
    const firn_local size = firn_cr_chunk_size(a);
    return a->count / size + (a->count % size != 0);
}

// Entries of a chunk: [*out_begin, result).
static inline firn_local firn_cr_chunk_at(const firn_cr_args* a, firn_local chunk,
                                          firn_local* out_begin)
{
    const firn_local size = firn_cr_chunk_size(a);
    *out_begin = chunk * size;
    return a->count - *out_begin < size ? a->count : *out_begin + size;
}

static inline double firn_cr_add_up(const double* partial, firn_local chunks)
{
    double sum = 0;
    for (firn_local k = 0; k < chunks; k++) sum += partial[k];
    return sum;
}

// m a . b by component; the fourth is 0 or the weight and is ignored.
static inline firn_vec4d firn_cr_weighted(firn_vec4 a, firn_vec4 b, firn_vec4 weight)
{
    const double m = (double)weight[3];
    return (firn_vec4d){m, m, m, 0} * firn_vec4d_of(a * b);
}

static inline double firn_cr_components(firn_vec4d sum)
{
    return sum[0] + sum[1] + sum[2];
}

#ifndef __cplusplus  // CUDA has loops of its own
// A pass over all entries: what it reads and writes.
typedef struct firn_cr_pass {
    const firn_cr_args* a;
    const firn_vec4 *u, *v;
    firn_vec4* x;
    firn_real by;
} firn_cr_pass;

// Runs `loop` over all chunks; returns the sum of what it left in `partial`.
static inline double firn_cr_run(firn_loop* loop, const firn_cr_pass* pass)
{
    const firn_cr_args* a = pass->a;
    const firn_local chunks = firn_cr_chunks(a);
    firn_share(chunks, FIRN_CR_GRAIN * FIRN_CR_CHUNK / firn_cr_chunk_size(a), loop, pass);
    return a->add_up != NULL ? a->add_up(a->self, a->partial, chunks)
                             : firn_cr_add_up(a->partial, chunks);
}

static inline void firn_cr_dot_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_cr_pass* pass = self;
    const firn_cr_args* a = pass->a;
    for (firn_local k = begin; k < end; k++) {
        firn_vec4d sum = {0, 0, 0, 0};
        firn_local i;
        for (const firn_local to = firn_cr_chunk_at(a, k, &i); i < to; i++)
            sum += firn_cr_weighted(pass->u[i], pass->v[i], a->weight[i]);
        a->partial[k] = firn_cr_components(sum);
    }
}

// sum_i m_i a_i . b_i, always added in the same order.
static inline double firn_cr_dot(const firn_cr_args* a, const firn_vec4* u, const firn_vec4* v)
{
    return firn_cr_run(firn_cr_dot_chunks, &(firn_cr_pass){.a = a, .u = u, .v = v});
}

static inline void firn_cr_move_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_cr_pass* pass = self;
    const firn_cr_args* a = pass->a;
    for (firn_local k = begin; k < end; k++) {
        firn_vec4d sum = {0, 0, 0, 0};
        firn_local i;
        for (const firn_local to = firn_cr_chunk_at(a, k, &i); i < to; i++) {
            pass->x[i] = firn_vec4_madd(pass->by, a->p[i], pass->x[i]);
            const firn_vec4 r = firn_vec4_madd(-pass->by, a->Ap[i], a->r[i]);
            a->r[i] = r;
            if (a->scale != NULL) a->z[i] = a->scale[i] * r;
            sum += firn_cr_weighted(r, r, a->weight[i]);
        }
        a->partial[k] = firn_cr_components(sum);
    }
}

// x += alpha p, r -= alpha Ap, z = P r; returns <r, r>.
static inline double firn_cr_move_along(const firn_cr_args* a, firn_vec4* x, firn_real alpha)
{
    return firn_cr_run(firn_cr_move_chunks, &(firn_cr_pass){.a = a, .x = x, .by = alpha});
}

static inline void firn_cr_turn_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_cr_pass* pass = self;
    const firn_cr_args* a = pass->a;
    for (firn_local k = begin; k < end; k++) {
        firn_vec4d sum = {0, 0, 0, 0};
        firn_local i;
        for (const firn_local to = firn_cr_chunk_at(a, k, &i); i < to; i++) {
            a->p[i] = firn_vec4_madd(pass->by, a->p[i], pass->u[i]);
            const firn_vec4 Ap = firn_vec4_madd(pass->by, a->Ap[i], a->Az[i]);
            a->Ap[i] = Ap;
            sum += firn_cr_weighted(a->scale != NULL ? a->scale[i] * Ap : Ap, Ap, a->weight[i]);
        }
        a->partial[k] = firn_cr_components(sum);
    }
}

// p = z + beta p, Ap = Az + beta Ap; returns <Ap, P Ap>.
static inline double firn_cr_turn(const firn_cr_args* a, const firn_vec4* z, firn_real beta)
{
    return firn_cr_run(firn_cr_turn_chunks, &(firn_cr_pass){.a = a, .u = z, .by = beta});
}

static inline void firn_cr_start_entries(const void* self, firn_local begin, firn_local end)
{
    const firn_cr_pass* pass = self;
    const firn_cr_args* a = pass->a;
    for (firn_local i = begin; i < end; i++) {
        const bool is_free = a->weight[i][3] > 0 && (a->fixed == NULL || a->fixed[i] == 0);
        a->r[i] = is_free ? pass->u[i] - a->Ap[i] : (firn_vec4){0, 0, 0, 0};
        if (a->scale != NULL) a->z[i] = a->scale[i] * a->r[i];
        a->p[i] = (firn_vec4){0, 0, 0, 0};
        a->Ap[i] = (firn_vec4){0, 0, 0, 0};
    }
}

// r = b - A x on free entries, z = P r; p = Ap = 0.
static inline void firn_cr_start(const firn_cr_args* a, const firn_vec4* b, const firn_vec4* x)
{
    a->apply(a->self, x, a->Ap);
    firn_share(a->count, FIRN_CR_GRAIN * FIRN_CR_CHUNK, firn_cr_start_entries,
               &(firn_cr_pass){.a = a, .u = b});
}

// On entry x is the guess (at fixed entries: the value, which stays bit for bit), b the right-hand
// side. On exit x is the solution.
static inline firn_cr_result firn_cr_solve(const firn_cr_args* a, const firn_vec4* b, firn_vec4* x)
{
    firn_cr_result out = {0, 0, FIRN_CR_CONVERGED};
    if (a->count == 0 && a->add_up == NULL) return out;  // scratch may be null
    double size = sqrt(firn_cr_dot(a, b, b));
    if (!(size > 0)) return out;
    size = fmax(size, a->size_floor);
    firn_cr_start(a, b, x);
    double rr = firn_cr_dot(a, a->r, a->r);
    out.residual = sqrt(rr) / size;
    if (!(out.residual > a->tolerance)) return out;
    const firn_vec4* z = a->scale != NULL ? a->z : a->r;
    double zAz = a->apply(a->self, z, a->Az), beta = 0;
    for (;;) {
        const double ApAp = firn_cr_turn(a, z, (firn_real)beta);
        if (!(ApAp > 0) || !(fabs(zAz) > 1e-14 * sqrt(rr * ApAp))) {
            out.reason = FIRN_CR_STALLED;
            return out;
        }
        rr = firn_cr_move_along(a, x, (firn_real)(zAz / ApAp));
        out.iterations++;
        out.residual = sqrt(rr) / size;
        if (!(out.residual > a->tolerance)) return out;
        if (out.iterations >= a->max_iterations) {
            out.reason = FIRN_CR_ITERATIONS;
            return out;
        }
        const double zAz_new = a->apply(a->self, z, a->Az);
        beta = zAz_new / zAz;
        zAz = zAz_new;
    }
}
#endif
