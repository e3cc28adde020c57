// SPDX-License-Identifier: MIT
// T17, the solver alone: conjugate residuals in a weighted product, on small systems with known
// answers, and on everything that could make it divide by zero.
#include "linalg/cr.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "seed.h"

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
    firn_real4* weight;
    uint8_t* fixed;
    int applied;
} dense;

static void apply_dense(void* self, const firn_real4* in, firn_real4* out)
{
    dense* d = self;
    d->applied++;
    for (firn_local i = 0; i < d->count; i++) {
        out[i] = (firn_real4){0, 0, 0, 0};
        const double m = (double)d->weight[i][3];
        if (!(m > 0) || d->fixed[i] != 0) continue;
        for (int a = 0; a < 3; a++) {
            double sum = 0;
            for (firn_local j = 0; j < d->count; j++)
                for (int b = 0; b < 3; b++) sum += d->K[3 * i + a][3 * j + b] * (double)in[j][b];
            out[i][a] = (firn_real)(sum / m);
        }
    }
}

typedef struct problem {
    dense d;
    firn_cr_args args;
    firn_real4 *b, *x;
    void* all[12];
    int all_count;
} problem;

static void* take(problem* p, size_t count, size_t size)
{
    void* block = firn_alloc(count, size);
    assert_non_null(block);
    p->all[p->all_count++] = block;
    return block;
}

static problem make(firn_local count, int threads)
{
    problem p = {.d = {.count = count}};
    const size_t n = (size_t)count;
    p.d.K = take(&p, 3 * n, sizeof *p.d.K);
    p.d.weight = take(&p, n, sizeof(firn_real4));
    p.d.fixed = take(&p, n, 1);
    p.b = take(&p, n, sizeof(firn_real4));
    p.x = take(&p, n, sizeof(firn_real4));
    p.args = (firn_cr_args){.count = count,
                            .weight = p.d.weight,
                            .fixed = p.d.fixed,
                            .apply = apply_dense,
                            .max_iterations = 1000,
                            .tolerance = SOLVED / 10,
                            .threads = threads,
                            .r = take(&p, n, sizeof(firn_real4)),
                            .p = take(&p, n, sizeof(firn_real4)),
                            .Az = take(&p, n, sizeof(firn_real4)),
                            .Ap = take(&p, n, sizeof(firn_real4)),
                            .partial = take(&p, (size_t)firn_cr_partials(count), 8)};
    return p;
}

static void drop(problem* p)
{
    for (int k = 0; k < p->all_count; k++) firn_free(p->all[k]);
}

// Fills K (symmetric, diagonal `shift` plus noise), weights over more than a decade, a random b.
static void fill(problem* p, uint64_t seed, double shift, double mass)
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
            (firn_real4){9, 9, 9, (firn_real)(mass * pow(10, any_between(&r, -0.7, 0.7)))};
        for (int a = 0; a < 3; a++) p->b[i][a] = (firn_real)any_between(&r, -1, 1);
    }
}

// |b - A x| / |b| in the weighted norm, afresh, over free entries.
static double true_residual(problem* p)
{
    firn_real4* Ax = p->args.Ap;
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

static firn_cr_result run(problem* p)
{
    p->args.self = &p->d;
    return firn_cr_solve(&p->args, p->b, p->x);
}

static void definite(void** state)
{
    (void)state;
    problem p = make(20, 2);
    fill(&p, 1701, 8, 1);
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_true(r.iterations > 3 && r.iterations <= 60);  // at most one per unknown
    assert_true(r.residual <= SOLVED / 10 && true_residual(&p) < 3 * SOLVED);
    assert_int_equal(p.d.applied,
                     r.iterations + 2);  // one for the residual, one to start, no waste
    // from the solution: nothing left to do, not a bit changes
    firn_real4 before[20];
    memcpy(before, p.x, sizeof before);
    p.args.tolerance = 10 * SOLVED;
    assert_int_equal(run(&p).iterations, 0);
    assert_memory_equal(before, p.x, sizeof before);
    drop(&p);
}

// Eigenvalues of both signs: CR goes on where CG would break down.
static void indefinite(void** state)
{
    (void)state;
    problem p = make(12, 1);
    fill(&p, 1702, 2, 1);
    for (int i = 0; i < 9; i++) p.d.K[i][i] = -3;
    p.args.tolerance = 1e-4;
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_true(true_residual(&p) < 2e-4);
    drop(&p);
}

static void fixed_entries_stay(void** state)
{
    (void)state;
    problem p = make(20, 2);
    fill(&p, 1703, 8, 1);
    firn_real4 wall[20];
    for (int i = 0; i < 20; i += 3) {
        p.d.fixed[i] = 1;
        p.x[i] = (firn_real4){(firn_real)0.1 * (firn_real)i, -1, (firn_real)1e-30, 0};
    }
    memcpy(wall, p.x, sizeof wall);
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_true(true_residual(&p) < 3 * SOLVED);  // which knows the wall's velocity
    for (int i = 0; i < 20; i += 3) assert_memory_equal(&p.x[i], &wall[i], sizeof wall[i]);
    for (int i = 0; i < 20; i++) p.d.fixed[i] = 1;  // all of them: nothing to solve
    memcpy(wall, p.x, sizeof wall);
    assert_int_equal(run(&p).iterations, 0);
    assert_memory_equal(wall, p.x, sizeof wall);
    drop(&p);
}

static bool finite_everywhere(const problem* p)
{
    for (firn_local i = 0; i < p->d.count; i++)
        for (int a = 0; a < 3; a++)
            if (!firn_is_finite(p->x[i][a])) return false;
    return true;
}

static void nothing_to_do(void** state)
{
    (void)state;
    problem p = make(5, 1);
    fill(&p, 1704, 5, 1);
    memset(p.b, 0, 5 * sizeof *p.b);  // zero right-hand side
    firn_cr_result r = run(&p);
    assert_int_equal(r.iterations, 0);
    assert_true(r.residual == 0 && r.reason == FIRN_CR_CONVERGED && finite_everywhere(&p));
    for (int i = 0; i < 5; i++) p.d.weight[i][3] = 0;  // nothing has weight
    p.b[0][0] = 1;
    r = run(&p);
    assert_int_equal(r.iterations, 0);
    assert_true(finite_everywhere(&p));
    drop(&p);
    assert_int_equal(firn_cr_solve(&(firn_cr_args){0}, NULL, NULL).iterations, 0);  // no entries
}

static void single_entry(void** state)
{
    (void)state;
    problem p = make(1, 1);
    p.d.K[0][0] = p.d.K[1][1] = p.d.K[2][2] = 2;
    p.d.weight[0] = (firn_real4){0, 0, 0, (firn_real)0.5};
    p.b[0] = (firn_real4){4, -8, 1, 0};
    const firn_cr_result r = run(&p);
    assert_int_equal(r.iterations, 1);
    assert_true(fabs((double)p.x[0][0] - 1) < 1e-6 && fabs((double)p.x[0][1] + 2) < 1e-6);
    drop(&p);
}

static void tiny_masses(void** state)
{
    (void)state;
    problem p = make(10, 1);
    fill(&p, 1705, 8, 1e-30);
    const firn_cr_result r = run(&p);
    assert_true(finite_everywhere(&p) && isfinite(r.residual));
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_true(true_residual(&p) < 3 * SOLVED);
    drop(&p);
}

// A = 0, and a rotation (<r, Ar> = 0 at once): a reason, not a NaN.
static void hopeless(void** state)
{
    (void)state;
    problem p = make(2, 1);
    p.d.weight[0] = p.d.weight[1] = (firn_real4){0, 0, 0, 1};
    p.b[0] = (firn_real4){1, 2, 3, 0};
    firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_STALLED);
    assert_true(finite_everywhere(&p) && r.residual > 0.99);
    p.d.K[0][3] = 1;
    p.d.K[3][0] = -1;
    p.b[0] = (firn_real4){1, 0, 0, 0};
    r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_STALLED);
    assert_true(finite_everywhere(&p));
    drop(&p);
}

static void runs_out_of_iterations(void** state)
{
    (void)state;
    problem p = make(20, 1);
    fill(&p, 1706, 6, 1);
    p.args.max_iterations = 2;
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_ITERATIONS);
    assert_int_equal(r.iterations, 2);
    assert_true(fabs(true_residual(&p) - r.residual) < 1e-4);
    drop(&p);
}

// A diagonal operator over many entries, so that sums run over many pieces and threads.
static void apply_diagonal(void* self, const firn_real4* in, firn_real4* out)
{
    const problem* p = self;
    for (firn_local i = 0; i < p->d.count; i++)
        out[i] = in[i] * firn_real4_all(1 + (firn_real)(i % 97) / 50);
}

static void same_bits_for_any_threads(void** state)
{
    (void)state;
    enum { COUNT = 5000 };
    firn_real4* first = firn_alloc(COUNT, sizeof *first);
    for (int t = 0; t < 4; t++) {
        problem p = make(COUNT, (const int[]){1, 2, 3, 8}[t]);
        any_source r = any_start(1707);
        for (int i = 0; i < COUNT; i++) {
            p.d.weight[i] = (firn_real4){0, 0, 0, (firn_real)any_between(&r, 0.1, 2)};
            for (int a = 0; a < 3; a++) p.b[i][a] = (firn_real)any_between(&r, -1, 1);
        }
        p.args.self = &p;
        p.args.apply = apply_diagonal;
        p.args.tolerance = 1e-5;
        assert_int_equal(firn_cr_solve(&p.args, p.b, p.x).reason, FIRN_CR_CONVERGED);
        if (t == 0) memcpy(first, p.x, COUNT * sizeof *first);
        assert_memory_equal(first, p.x, COUNT * sizeof *first);
        drop(&p);
    }
    firn_free(first);
}

int test_cr(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(definite),
                                       cmocka_unit_test(indefinite),
                                       cmocka_unit_test(fixed_entries_stay),
                                       cmocka_unit_test(nothing_to_do),
                                       cmocka_unit_test(single_entry),
                                       cmocka_unit_test(tiny_masses),
                                       cmocka_unit_test(hopeless),
                                       cmocka_unit_test(runs_out_of_iterations),
                                       cmocka_unit_test(same_bits_for_any_threads)};
    return cmocka_run_group_tests_name("cr", tests, NULL, NULL);
}
