// SPDX-License-Identifier: MIT
// Bi-CGSTAB (van der Vorst 1992) for operators that are neither symmetric nor definite, as the
// shear system of Gissler 2020, eq. 14. Where the method breaks down (the shadow residual is
// orthogonal to r, or omega vanishes) it restarts from the current x and counts it. Header-only, so
// that the loops are compiled for each SIMD level with the caller's. Sums run over fixed chunks,
// each added by one thread, the chunks then added in order: the same bits for any number of
// threads.
#pragma once
#include <math.h>

#include "core/result.h"
#include "core/simd/vec4.h"
#include "core/threads/team.h"

#define FIRN_BICG_CHUNK 1024  // entries of a partial sum

typedef enum firn_bicg_reason {
    FIRN_BICG_CONVERGED,   // residual below the tolerance
    FIRN_BICG_ITERATIONS,  // out of iterations
    FIRN_BICG_STALLED      // broke down again right after a restart
} firn_bicg_reason;

typedef struct firn_bicg_args {
    firn_local count;  // vector entries, each of four reals (the fourth is carried, 0)
    void* self;        // handed to `apply`
    void (*apply)(void* self, const firn_vec4* in, firn_vec4* out);  // out = A in
    int max_iterations;
    double tolerance;   // stop when |r| <= tolerance * max(|b|, size_floor)
    double size_floor;  // below this a right-hand side counts as that large
    bool verify;        // recompute the residual at the end, and continue if rounding hid a part
    bool fit_start;     // multiply the guess by the number that makes its residual least
    // [chunks] 0: x, b and A x are 0 there; the solve leaves the chunk out. Null: none.
    const uint8_t* only;
    firn_vec4 *r, *shadow, *p, *v, *s, *t;  // scratch [count]
    double* partial;                        // scratch [3 * firn_bicg_partials(count)]
} firn_bicg_args;

typedef struct firn_bicg_result {
    int iterations;
    int restarts;     // restarts after a breakdown
    double residual;  // |r| / max(|b|, size_floor) at the end; 0 when b is 0
    firn_bicg_reason reason;
} firn_bicg_result;

static inline firn_local firn_bicg_partials(firn_local count)
{
    return count / FIRN_BICG_CHUNK + 1;
}

static inline bool firn_bicg_leaves_out(const firn_bicg_args* a, firn_local chunk)
{
    return a->only != NULL && a->only[chunk] == 0;
}

// <a, b>, <a, a> and <b, b> in one pass.
typedef struct firn_bicg_dots {
    double ab, aa, bb;
} firn_bicg_dots;

static inline double firn_bicg_sum(firn_vec4d sum)
{
    return sum[0] + sum[1] + sum[2];
}

// Entries of chunk k: [k * FIRN_BICG_CHUNK, result).
static inline firn_local firn_bicg_end(const firn_bicg_args* a, firn_local chunk)
{
    if (firn_bicg_leaves_out(a, chunk)) return chunk * FIRN_BICG_CHUNK;
    const firn_local end = (chunk + 1) * FIRN_BICG_CHUNK;
    return end < a->count ? end : a->count;
}

static inline firn_bicg_dots firn_bicg_add_up(const firn_bicg_args* a)
{
    firn_bicg_dots d = {0, 0, 0};
    for (firn_local k = 0; k < firn_bicg_partials(a->count); k++) {
        d.ab += a->partial[3 * k];
        d.aa += a->partial[3 * k + 1];
        d.bb += a->partial[3 * k + 2];
    }
    return d;
}

#ifndef __cplusplus  // CUDA has loops of its own
// A pass over all entries: what it reads and writes.
typedef struct firn_bicg_pass {
    const firn_bicg_args* a;
    const firn_vec4 *in, *other;
    firn_vec4* x;
    firn_real alpha, beta, omega;
} firn_bicg_pass;

// Chunks of a part: 4096 entries of a dot or an update are some microseconds.
#define FIRN_BICG_GRAIN 4

static inline void firn_bicg_run(const firn_bicg_args* a, firn_loop* loop,
                                 const firn_bicg_pass* pass)
{
    firn_share(firn_bicg_partials(a->count), FIRN_BICG_GRAIN, loop, pass);
}

// Partial sums of chunk k of two vectors.
static inline void firn_bicg_dot_chunk(const firn_bicg_args* a, const firn_vec4* x,
                                       const firn_vec4* y, firn_local k)
{
    firn_vec4d xy = {0, 0, 0, 0}, xx = {0, 0, 0, 0}, yy = {0, 0, 0, 0};
    for (firn_local i = k * FIRN_BICG_CHUNK, to = firn_bicg_end(a, k); i < to; i++) {
        const firn_vec4d u = firn_vec4d_of(x[i]), w = firn_vec4d_of(y[i]);
        xy += u * w;
        xx += u * u;
        yy += w * w;
    }
    a->partial[3 * k] = firn_bicg_sum(xy);
    a->partial[3 * k + 1] = firn_bicg_sum(xx);
    a->partial[3 * k + 2] = firn_bicg_sum(yy);
}

static inline void firn_bicg_dot_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_bicg_pass* pass = self;
    for (firn_local k = begin; k < end; k++) firn_bicg_dot_chunk(pass->a, pass->in, pass->other, k);
}

static inline firn_bicg_dots firn_bicg_dot(const firn_bicg_args* a, const firn_vec4* x,
                                           const firn_vec4* y)
{
    firn_bicg_run(a, firn_bicg_dot_chunks, &(firn_bicg_pass){.a = a, .in = x, .other = y});
    return firn_bicg_add_up(a);
}

// State between iterations.
typedef struct firn_bicg_carry {
    double rho, alpha, omega;
    bool fresh;         // after a start or restart
    firn_bicg_dots sr;  // of the shadow and r
} firn_bicg_carry;

static inline void firn_bicg_start_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_bicg_pass* pass = self;
    const firn_bicg_args* a = pass->a;
    for (firn_local k = begin; k < end; k++) {
        for (firn_local i = k * FIRN_BICG_CHUNK, to = firn_bicg_end(a, k); i < to; i++) {
            a->shadow[i] = a->r[i] = firn_vec4_madd(-pass->alpha, a->v[i], pass->in[i]);
            a->p[i] = a->v[i] = (firn_vec4){0};
        }
        firn_bicg_dot_chunk(a, a->shadow, a->r, k);
    }
}

// (Re)starts at the residual r = b - A x.
static inline firn_bicg_carry firn_bicg_start(const firn_bicg_args* a, const firn_vec4* b,
                                              const firn_vec4* x)
{
    a->apply(a->self, x, a->v);
    firn_bicg_run(a, firn_bicg_start_chunks, &(firn_bicg_pass){.a = a, .in = b, .alpha = 1});
    return (firn_bicg_carry){0, 0, 0, true, firn_bicg_add_up(a)};
}

static inline void firn_bicg_scale_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_bicg_pass* pass = self;
    const firn_bicg_args* a = pass->a;
    for (firn_local k = begin; k < end; k++)
        for (firn_local i = k * FIRN_BICG_CHUNK, to = firn_bicg_end(a, k); i < to; i++)
            pass->x[i] *= pass->alpha;
}

// Starts at the multiple c of the guess x for which |b - c A x| is least.
static inline firn_bicg_carry firn_bicg_fit(const firn_bicg_args* a, const firn_vec4* b,
                                            firn_vec4* x)
{
    a->apply(a->self, x, a->v);
    const firn_bicg_dots d = firn_bicg_dot(a, b, a->v);
    const double fit = d.bb > 0 ? d.ab / d.bb : 0;
    const firn_real c = isfinite(fit) ? (firn_real)fit : 0;
    firn_bicg_run(a, firn_bicg_scale_chunks, &(firn_bicg_pass){.a = a, .x = x, .alpha = c});
    firn_bicg_run(a, firn_bicg_start_chunks, &(firn_bicg_pass){.a = a, .in = b, .alpha = c});
    return (firn_bicg_carry){0, 0, 0, true, firn_bicg_add_up(a)};
}

static inline void firn_bicg_move_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_bicg_pass* pass = self;
    const firn_bicg_args* a = pass->a;
    for (firn_local k = begin; k < end; k++) {
        for (firn_local i = k * FIRN_BICG_CHUNK, to = firn_bicg_end(a, k); i < to; i++) {
            pass->x[i] = firn_vec4_madd(pass->alpha, a->p[i], pass->x[i]);
            pass->x[i] = firn_vec4_madd(pass->omega, a->s[i], pass->x[i]);
            a->r[i] = firn_vec4_madd(-pass->omega, a->t[i], a->s[i]);
        }
        firn_bicg_dot_chunk(a, a->shadow, a->r, k);
    }
}

// x += alpha p + omega s, r = s - omega t; returns the sums of the new r.
static inline firn_bicg_dots firn_bicg_move(const firn_bicg_args* a, firn_vec4* x, double alpha,
                                            double omega)
{
    firn_bicg_run(
        a, firn_bicg_move_chunks,
        &(firn_bicg_pass){.a = a, .x = x, .alpha = (firn_real)alpha, .omega = (firn_real)omega});
    return firn_bicg_add_up(a);
}

static inline void firn_bicg_move_half_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_bicg_pass* pass = self;
    const firn_bicg_args* a = pass->a;
    for (firn_local k = begin; k < end; k++) {
        for (firn_local i = k * FIRN_BICG_CHUNK, to = firn_bicg_end(a, k); i < to; i++) {
            pass->x[i] = firn_vec4_madd(pass->alpha, a->p[i], pass->x[i]);
            a->r[i] = a->s[i];
        }
        firn_bicg_dot_chunk(a, a->shadow, a->r, k);
    }
}

// x += alpha p, r = s: half a step that is good enough. Returns the sums of the new r.
static inline firn_bicg_dots firn_bicg_move_half(const firn_bicg_args* a, firn_vec4* x,
                                                 double alpha)
{
    firn_bicg_run(a, firn_bicg_move_half_chunks,
                  &(firn_bicg_pass){.a = a, .x = x, .alpha = (firn_real)alpha});
    return firn_bicg_add_up(a);
}

static inline void firn_bicg_turn_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_bicg_pass* pass = self;
    const firn_bicg_args* a = pass->a;
    for (firn_local k = begin; k < end; k++)
        for (firn_local i = k * FIRN_BICG_CHUNK, to = firn_bicg_end(a, k); i < to; i++) {
            const firn_vec4 q = firn_vec4_madd(-pass->omega, a->v[i], a->p[i]);
            a->p[i] = firn_vec4_madd(pass->beta, q, a->r[i]);
        }
}

// p = r + beta (p - omega v)
static inline void firn_bicg_turn(const firn_bicg_args* a, double beta, double omega)
{
    firn_bicg_run(a, firn_bicg_turn_chunks,
                  &(firn_bicg_pass){.a = a, .beta = (firn_real)beta, .omega = (firn_real)omega});
}

static inline void firn_bicg_half_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_bicg_pass* pass = self;
    const firn_bicg_args* a = pass->a;
    for (firn_local k = begin; k < end; k++) {
        firn_vec4d ss = {0, 0, 0, 0};
        for (firn_local i = k * FIRN_BICG_CHUNK, to = firn_bicg_end(a, k); i < to; i++) {
            a->s[i] = firn_vec4_madd(-pass->alpha, a->v[i], a->r[i]);
            const firn_vec4d s = firn_vec4d_of(a->s[i]);
            ss += s * s;
        }
        a->partial[3 * k] = firn_bicg_sum(ss);
        a->partial[3 * k + 1] = a->partial[3 * k + 2] = 0;
    }
}

// s = r - alpha v; returns <s, s>.
static inline double firn_bicg_half(const firn_bicg_args* a, double alpha)
{
    firn_bicg_run(a, firn_bicg_half_chunks, &(firn_bicg_pass){.a = a, .alpha = (firn_real)alpha});
    return firn_bicg_add_up(a).ab;
}

// One iteration. False: breakdown, before x has changed or after its first half. `limit`: |r|^2 at
// which the iteration stops.
static inline bool firn_bicg_iterate(const firn_bicg_args* a, firn_vec4* x, firn_bicg_carry* c,
                                     double limit)
{
    const double tiny = 1e-12;
    const firn_bicg_dots sr = c->sr;
    if (!(fabs(sr.ab) > tiny * sqrt(sr.aa * sr.bb))) return false;
    firn_bicg_turn(a, c->fresh ? 0 : sr.ab / c->rho * (c->alpha / c->omega), c->omega);
    a->apply(a->self, a->p, a->v);
    const firn_bicg_dots sv = firn_bicg_dot(a, a->shadow, a->v);
    if (!(fabs(sv.ab) > tiny * sqrt(sv.aa * sv.bb))) return false;
    const double alpha = sr.ab / sv.ab;
    if (firn_bicg_half(a, alpha) <= limit) {
        *c = (firn_bicg_carry){sr.ab, alpha, 1, false, firn_bicg_move_half(a, x, alpha)};
        return true;
    }
    a->apply(a->self, a->s, a->t);
    const firn_bicg_dots ts = firn_bicg_dot(a, a->t, a->s);
    const double omega = ts.aa > 0 ? ts.ab / ts.aa : 0;
    *c = (firn_bicg_carry){sr.ab, alpha, omega, false, firn_bicg_move(a, x, alpha, omega)};
    return fabs(ts.ab) > tiny * sqrt(ts.aa * ts.bb);
}

static inline void firn_bicg_clear_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_bicg_pass* pass = self;
    for (firn_local k = begin; k < end; k++)
        for (firn_local i = k * FIRN_BICG_CHUNK, to = firn_bicg_end(pass->a, k); i < to; i++)
            pass->x[i] = (firn_vec4){0};
}

// Solves A x = b from the guess in x.
static inline firn_bicg_result firn_bicg_solve(const firn_bicg_args* a, const firn_vec4* b,
                                               firn_vec4* x)
{
    firn_bicg_result out = {0, 0, 0, FIRN_BICG_CONVERGED};
    const double size = sqrt(firn_bicg_dot(a, b, b).ab);
    const double goal = a->tolerance * fmax(size, a->size_floor);
    const double over = fmax(size, a->size_floor);
    if (size == 0) {
        firn_bicg_run(a, firn_bicg_clear_chunks, &(firn_bicg_pass){.a = a, .x = x});
        return out;
    }
    firn_bicg_carry carry = a->fit_start ? firn_bicg_fit(a, b, x) : firn_bicg_start(a, b, x);
    for (int verified = 0;;) {
        if (sqrt(carry.sr.bb) <= goal) {
            if (!a->verify || out.iterations == 0 || verified == 3) break;
            verified++;
            carry = firn_bicg_start(a, b, x);
            if (sqrt(carry.sr.bb) <= goal) break;
        }
        out.reason = FIRN_BICG_ITERATIONS;
        if (out.iterations == a->max_iterations) break;
        out.iterations++;
        const bool was_fresh = carry.fresh;
        const bool whole = firn_bicg_iterate(a, x, &carry, goal * goal);
        if (!whole) carry = firn_bicg_start(a, b, x);  // x may have changed by half an iteration
        out.reason = whole || !was_fresh ? FIRN_BICG_CONVERGED : FIRN_BICG_STALLED;
        if (!isfinite(sqrt(carry.sr.bb)) || out.reason == FIRN_BICG_STALLED) break;
        if (!whole) out.restarts++;
    }
    const double norm = sqrt(carry.sr.bb);
    out.residual = norm / over;
    if (!(norm <= goal) && out.reason == FIRN_BICG_CONVERGED) out.reason = FIRN_BICG_STALLED;
    return out;
}
#endif
