// SPDX-License-Identifier: MIT
// Bi-CGSTAB on small systems with known answers, and on everything that could make it divide by
// zero.
#include "linalg/bicgstab.h"

#include <string.h>

#include "core/memory.h"
#include "lu.h"
#include "seed.h"
#include "team_use.h"

// Residual over right-hand side at which solves stop: a hundred roundings.
#ifdef FIRN_DOUBLE
#define SOLVED 1e-10
#else
#define SOLVED 1e-5
#endif

// A dense matrix over the first three reals of each entry.
typedef struct system_of {
    firn_local count;
    double* A;  // [3 count][3 count]
    int applied;
    firn_bicg_args args;
    firn_vec4 *b, *x;
    void* memory;
} system_of;

static void apply(void* self, const firn_vec4* in, firn_vec4* out)
{
    system_of* s = self;
    const int n = 3 * s->count;
    s->applied++;
    for (int r = 0; r < n; r++) {
        double sum = 0;
        for (int c = 0; c < n; c++) sum += s->A[r * n + c] * (double)in[c / 3][c % 3];
        out[r / 3][r % 3] = (firn_real)sum;
    }
    for (firn_local i = 0; i < s->count; i++) out[i][3] = 0;
}

static system_of* make(firn_local count, bool dense)
{
    system_of* s = firn_alloc(1, sizeof *s);
    s->count = count;
    const size_t n = (size_t)count;
    if (dense) s->A = firn_alloc(9 * n * n, sizeof *s->A);
    firn_vec4* all = firn_alloc(8 * n, sizeof *all);
    s->memory = all;
    s->b = all;
    s->x = all + n;
    s->args = (firn_bicg_args){.count = count,
                               .self = s,
                               .apply = apply,
                               .max_iterations = 300,
                               .tolerance = SOLVED,
                               .r = all + 2 * n,
                               .shadow = all + 3 * n,
                               .p = all + 4 * n,
                               .v = all + 5 * n,
                               .s = all + 6 * n,
                               .t = all + 7 * n,
                               .partial = firn_alloc(3 * (size_t)firn_bicg_partials(count), 8)};
    return s;
}

static void drop(system_of* s)
{
    firn_free(s->A);
    firn_free(s->memory);
    firn_free(s->args.partial);
    firn_free(s);
}

// Not symmetric: noise of `rough` about a diagonal that spans `decades`.
static void fill(system_of* s, uint64_t seed, double rough, double decades)
{
    any_source r = any_start(seed);
    const int n = 3 * s->count;
    for (int i = 0; i < n; i++) {
        const double size = pow(10, decades * (i / 3) / s->count);  // of the entry
        for (int j = 0; j < n; j++)
            s->A[i * n + j] = size * (any_between(&r, -rough, rough) + (i == j));
        s->b[i / 3][i % 3] = (firn_real)any_between(&r, -1, 1);
    }
}

static firn_bicg_result run(system_of* s)
{
    s->applied = 0;
    return firn_bicg_solve(&s->args, s->b, s->x);
}

// |b - A x| / |b|, afresh.
static double true_residual(system_of* s)
{
    firn_vec4* Ax = s->args.t;
    apply(s, s->x, Ax);
    double rr = 0, bb = 0;
    for (firn_local i = 0; i < s->count; i++)
        for (int a = 0; a < 3; a++) {
            bb += (double)s->b[i][a] * (double)s->b[i][a];
            rr += pow((double)s->b[i][a] - (double)Ax[i][a], 2);
        }
    return sqrt(rr / bb);
}

// Largest difference from the answer of LU, over its largest entry.
static double off_from_dense(const system_of* s)
{
    const int n = 3 * s->count;
    double* A = firn_alloc((size_t)n * (size_t)n, sizeof *A);
    double* x = firn_alloc((size_t)n, sizeof *x);
    memcpy(A, s->A, (size_t)n * (size_t)n * sizeof *A);
    for (int i = 0; i < n; i++) x[i] = (double)s->b[i / 3][i % 3];
    assert_true(lu_solve(A, x, n));
    double most = 0, size = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - (double)s->x[i / 3][i % 3]));
        size = fmax(size, fabs(x[i]));
    }
    firn_free(A);
    firn_free(x);
    return most / size;
}

static bool finite_everywhere(const system_of* s)
{
    for (firn_local i = 0; i < s->count; i++)
        for (int a = 0; a < 3; a++)
            if (!firn_is_finite(s->x[i][a])) return false;
    return true;
}

static void not_symmetric(void** state)
{
    (void)state;
    system_of* s = make(20, true);
    fill(s, 3801, 0.08, 0);
    const firn_bicg_result r = run(s);
    assert_int_equal(r.reason, FIRN_BICG_CONVERGED);
    assert_in_range(r.iterations, 3, 60);
    assert_at_most(r.residual, SOLVED);
    assert_less(true_residual(s), 3 * SOLVED);
    assert_less(off_from_dense(s), 50 * SOLVED);
    // two to an iteration and one for the first residual: no waste
    assert_in_range(s->applied, 2 * r.iterations, 2 * r.iterations + 2);
    // from the solution nothing is left to do, and not a bit changes
    firn_vec4 before[20];
    memcpy(before, s->x, sizeof before);
    s->args.tolerance = 10 * SOLVED;
    assert_int_equal(run(s).iterations, 0);
    assert_memory_equal(before, s->x, sizeof before);
    drop(s);
}

// A guess of the right direction needs no iteration, whatever its size; a useless one is dropped.
static void fitted_start(void** state)
{
    (void)state;
    system_of* s = make(20, true);
    fill(s, 3802, 0.08, 0);
    assert_int_equal(run(s).reason, FIRN_BICG_CONVERGED);
    s->args.fit_start = true;
    s->args.tolerance = 10 * SOLVED;
    for (firn_local i = 0; i < s->count; i++) s->x[i] *= -30;
    assert_int_equal(run(s).iterations, 0);
    assert_less(true_residual(s), 11 * SOLVED);
    for (firn_local i = 0; i < s->count; i++) s->x[i] = (firn_vec4){0};
    assert_int_equal(run(s).reason, FIRN_BICG_CONVERGED);
    assert_less(true_residual(s), 11 * SOLVED);
    drop(s);
}

static void nothing_to_do(void** state)
{
    (void)state;
    system_of* s = make(5, true);
    fill(s, 3803, 0.1, 0);
    memset(s->b, 0, 5 * sizeof *s->b);
    s->x[2][1] = 7;  // the guess is wrong: the answer is 0, exactly
    const firn_bicg_result r = run(s);
    assert_int_equal(r.iterations, 0);
    assert_equal(r.residual, 0);
    assert_equal(r.reason, FIRN_BICG_CONVERGED);
    assert_equal(s->x[2][1], 0);
    // smaller than what counts: left as it is
    s->b[0][0] = (firn_real)1e-12;
    s->args.size_floor = 1;
    assert_int_equal(run(s).iterations, 0);
    drop(s);
    double partial[3];
    assert_int_equal(firn_bicg_solve(&(firn_bicg_args){.partial = partial}, NULL, NULL).iterations,
                     0);  // no entries
}

static void single_entry(void** state)
{
    (void)state;
    system_of* s = make(1, true);
    for (int k = 0; k < 3; k++) s->A[k * 3 + k] = 2;
    s->A[1] = 1;
    s->b[0] = (firn_vec4){4, 2, 1, 0};
    const firn_bicg_result r = run(s);
    assert_int_equal(r.reason, FIRN_BICG_CONVERGED);
    // three unknowns: solved after three iterations at the latest, to rounding
    assert_near(s->x[0][0], 1.5, 1e-5);
    assert_near(s->x[0][1], 1, 1e-5);
    drop(s);
}

// <shadow, A r> = 0 at once (a quarter turn), and omega = 0: reported, finite, and the residual
// that is reported is that of the x that is returned, to a few roundings of float (1e-6).
static void breakdown(void** state)
{
    (void)state;
    system_of* s = make(2, true);
    s->A[0 * 6 + 3] = 1;
    s->A[3 * 6 + 0] = -1;
    s->b[0] = (firn_vec4){1, 0, 0, 0};
    firn_bicg_result r = run(s);
    assert_int_equal(r.reason, FIRN_BICG_STALLED);
    assert_true(finite_everywhere(s));
    assert_near(r.residual, true_residual(s), 1e-6);
    memset(s->A, 0, 36 * sizeof *s->A);  // A = 0
    r = run(s);
    assert_int_equal(r.reason, FIRN_BICG_STALLED);
    assert_true(finite_everywhere(s));
    assert_near(r.residual, true_residual(s), 1e-6);
    // omega is 0 after half a step, which has made the residual three times as large
    memset(s->x, 0, 2 * sizeof *s->x);
    s->A[0] = s->A[1] = 1;
    s->A[6] = 3;
    r = run(s);
    assert_int_equal(r.reason, FIRN_BICG_STALLED);
    assert_near(true_residual(s), 3, 1e-6);
    assert_near(r.residual, 3, 1e-6);
    drop(s);
}

// Broken down on the way: begun again from where it was, counted, and solved all the same. Small
// whole numbers, so that products vanish exactly.
static void restarts(void** state)
{
    (void)state;
    static const double rows[][15] = {{2, -2, 2, -1, 0, -2, 0, 0, -1, 0, 0, 1, 2, 1, -1},
                                      {1, 1, -2, -1, -2, 0, -1, 0, 2, 0, 0, 1, -2, 1, -0.5},
                                      {0, 1, 1, 2, 2, -1, 2, 2, -2, 0, 0, 1, -1.5, 1, -1},
                                      {2, -2, 0, -2, 2, 2, 2, 1, -1, 0, 1, 1, 0.5, 0.5, 0.5}};
    int seen = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        system_of* s = make(1, true);
        memcpy(s->A, rows[k], 9 * sizeof *s->A);
        for (int a = 0; a < 3; a++) s->b[0][a] = (firn_real)rows[k][9 + a];
        s->args.verify = true;
        const firn_bicg_result r = run(s);
        print_message("%d iterations, %d restarts\n", r.iterations, r.restarts);
        assert_int_equal(r.reason, FIRN_BICG_CONVERGED);
        for (int a = 0; a < 3; a++) assert_near(s->x[0][a], rows[k][12 + a], 100 * SOLVED);
        seen += r.restarts;
        drop(s);
    }
    assert_greater(seen, 0);
}

static void runs_out_of_iterations(void** state)
{
    (void)state;
    system_of* s = make(20, true);
    fill(s, 3804, 0.08, 0);
    s->args.max_iterations = 2;
    const firn_bicg_result r = run(s);
    assert_int_equal(r.reason, FIRN_BICG_ITERATIONS);
    assert_int_equal(r.iterations, 2);
    // of order 1, from two steps of a recurrence in float
    assert_near(true_residual(s), r.residual, 1e-4);
    s->args.max_iterations = 0;
    assert_int_equal(run(s).iterations, 0);
    drop(s);
}

// A NaN from the operator ends the solve with a residual that is none.
static void apply_nothing_good(void* self, const firn_vec4* in, firn_vec4* out)
{
    const system_of* s = self;
    for (firn_local i = 0; i < s->count; i++) out[i] = in[i] * firn_vec4_all((firn_real)NAN);
}

static void not_a_number(void** state)
{
    (void)state;
    system_of* s = make(4, true);
    fill(s, 3805, 0.1, 0);
    s->args.apply = apply_nothing_good;
    const firn_bicg_result r = run(s);
    assert_false(r.residual <= 1);
    assert_equal(r.reason, FIRN_BICG_STALLED);
    assert_at_most(r.iterations, 1);
    drop(s);
}

// A band over many entries, so that sums run over many chunks and threads.
static void apply_band(void* self, const firn_vec4* in, firn_vec4* out)
{
    const system_of* s = self;
    const firn_local n = s->count;
    for (firn_local i = 0; i < n; i++)
        out[i] = in[i] * firn_vec4_all(2 + (firn_real)(i % 97) / 50) - in[(i + 1) % n] -
                 firn_vec4_all((firn_real)0.3) * in[(i + 40) % n];
}

// Bands that stay within a chunk.
static void apply_pieces(void* self, const firn_vec4* in, firn_vec4* out)
{
    const system_of* s = self;
    for (firn_local i = 0; i < s->count; i++) {
        const firn_local first = i / FIRN_BICG_CHUNK * FIRN_BICG_CHUNK;
        out[i] = in[i] * firn_vec4_all(2 + (firn_real)(i % 97) / 50) -
                 in[first + (i + 1) % FIRN_BICG_CHUNK];
    }
}

// A chunk that is left out is as one where everything is 0, and is neither read nor written.
static void chunk_left_out(void** state)
{
    (void)state;
    enum { COUNT = 3 * FIRN_BICG_CHUNK };
    static const uint8_t only[] = {1, 0, 1, 0};
    system_of *whole = make(COUNT, false), *some = make(COUNT, false);
    any_source r = {3807, 0};
    for (int i = 0; i < COUNT; i++)
        for (int a = 0; a < 3; a++)
            whole->b[i][a] = some->b[i][a] = (firn_real)any_between(&r, -1, 1);
    for (int i = FIRN_BICG_CHUNK; i < 2 * FIRN_BICG_CHUNK; i++) {
        whole->b[i] = (firn_vec4){0};
        for (int v = 0; v < 8; v++) some->b[v * COUNT + i] = firn_vec4_all((firn_real)NAN);
    }
    some->args.only = only;
    whole->args.fit_start = some->args.fit_start = true;
    whole->args.apply = some->args.apply = apply_pieces;
    const firn_bicg_result a = run(whole), b = run(some);
    assert_int_equal(b.reason, FIRN_BICG_CONVERGED);
    assert_greater(b.iterations, 3);
    assert_int_equal(a.iterations, b.iterations);
    assert_equal(a.residual, b.residual);
    for (int c = 0; c < 3; c += 2)
        assert_memory_equal(whole->x + c * FIRN_BICG_CHUNK, some->x + c * FIRN_BICG_CHUNK,
                            FIRN_BICG_CHUNK * sizeof *some->x);
    for (int i = FIRN_BICG_CHUNK; i < 2 * FIRN_BICG_CHUNK; i++) assert_true(isnan(some->x[i][0]));
    drop(whole);
    drop(some);
}

static void same_bits_for_any_threads(void** state)
{
    (void)state;
    enum { COUNT = 50000 };
    firn_vec4* first = firn_alloc(COUNT, sizeof *first);
    for (int t = 0; t < 4; t++) {
        use_team((const int[]){1, 2, 7, 32}[t]);
        system_of* s = make(COUNT, false);
        any_source r = {3806, 0};
        for (int i = 0; i < COUNT; i++)
            for (int a = 0; a < 3; a++) s->b[i][a] = (firn_real)any_between(&r, -1, 1);
        s->args.apply = apply_band;
        const firn_bicg_result result = run(s);
        assert_int_equal(result.reason, FIRN_BICG_CONVERGED);
        assert_greater(result.iterations, 3);
        if (t == 0) memcpy(first, s->x, COUNT * sizeof *first);
        assert_memory_equal(first, s->x, COUNT * sizeof *first);
        drop(s);
    }
    use_team(0);
    firn_free(first);
}

int test_bicgstab(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_symmetric),  cmocka_unit_test(fitted_start),
        cmocka_unit_test(nothing_to_do),  cmocka_unit_test(single_entry),
        cmocka_unit_test(breakdown),      cmocka_unit_test(restarts),
        cmocka_unit_test(not_a_number),   cmocka_unit_test(runs_out_of_iterations),
        cmocka_unit_test(chunk_left_out), cmocka_unit_test(same_bits_for_any_threads),
    };
    return cmocka_run_group_tests_name("bicgstab", tests, NULL, NULL);
}
