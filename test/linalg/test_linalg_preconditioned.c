// SPDX-License-Identifier: MIT
// T17, conjugate residuals with a diagonal preconditioner: the same answers and the same residual
// as without, fewer iterations where the diagonal says much.
#include "linalg/dense.h"
#include "team_use.h"

// P and its scratch, for a problem that was made without.
static firn_vec4* precondition(problem* p)
{
    firn_vec4* P = take(p, (size_t)p->d.count, sizeof *P);
    p->args.scale = P;
    p->args.z = take(p, (size_t)p->d.count, sizeof(firn_vec4));
    return P;
}

// One over the diagonal of A = M^-1 K.
static void fill_inverse_diagonal(const problem* p, firn_vec4* P)
{
    for (firn_local i = 0; i < p->d.count; i++)
        for (int a = 0; a < 3; a++)
            P[i][a] = (firn_real)((double)p->d.weight[i][3] / p->d.K[3 * i + a][3 * i + a]);
}

// K <- D K D with D over three decades: as far from a multiple of M as snow of very different
// stiffness makes it.
static void scale_badly(problem* p, uint64_t seed)
{
    any_source r = any_start(seed);
    double D[300];
    const int n = 3 * (int)p->d.count;
    for (int i = 0; i < n; i++) D[i] = pow(10, any_between(&r, -0.5, 1));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) p->d.K[i][j] *= D[i] * D[j];
}

// The same answer with and without a preconditioner, fixed entries and all; the residual it reports
// is that of A, in the weighted norm.
static void preconditioned(void** state)
{
    (void)state;
    problem p = make(20);
    fill(&p, 1711, 8, 1);
    for (int i = 0; i < 20; i += 4) {
        p.d.fixed[i] = 1;
        p.x[i] = (firn_vec4){(firn_real)0.5, -1, (firn_real)0.25, 0};
    }
    firn_vec4 guess[20], plain[20];
    memcpy(guess, p.x, sizeof guess);
    assert_int_equal(run(&p).reason, FIRN_CR_CONVERGED);
    memcpy(plain, p.x, sizeof plain);
    memcpy(p.x, guess, sizeof guess);
    fill_inverse_diagonal(&p, precondition(&p));
    p.d.applied = 0;
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_int_equal(p.d.applied, r.iterations + 1);  // the residual, then one each but the last
    assert_at_most(r.residual, SOLVED / 10);
    assert_less(true_residual(&p), 3 * SOLVED);
    for (int i = 0; i < 20; i++) {
        if (p.d.fixed[i] != 0) assert_memory_equal(&p.x[i], &guess[i], sizeof guess[i]);
        for (int a = 0; a < 3; a++)  // |x| is about 1, and the smallest eigenvalue of A about 0.5
            assert_near(p.x[i][a], plain[i][a], 20 * SOLVED);
    }
    // stopped early, with a P that is far from 1: still the residual of A
    memcpy(p.x, guess, sizeof guess);
    p.args.max_iterations = 3;
    const firn_cr_result early = run(&p);
    assert_int_equal(early.reason, FIRN_CR_ITERATIONS);
    assert_greater(early.residual, 1e-4);
    // above 1e-4 of b, known to the roundings of float, some 1e-7 of b
    assert_near(true_residual(&p) / early.residual, 1, 1e-3);
    drop(&p);
}

// P = 1 changes no bit.
static void preconditioner_of_one(void** state)
{
    (void)state;
    problem plain = make(30), one = make(30);
    fill(&plain, 1712, 6, 1);
    fill(&one, 1712, 6, 1);
    firn_vec4* P = precondition(&one);
    for (int i = 0; i < 30; i++) P[i] = (firn_vec4){1, 1, 1, 1};
    const firn_cr_result a = run(&plain), b = run(&one);
    assert_int_equal(a.iterations, b.iterations);
    assert_equal(a.residual, b.residual);
    assert_greater(a.iterations, 5);
    assert_memory_equal(plain.x, one.x, 30 * sizeof *one.x);
    drop(&plain);
    drop(&one);
}

// A badly scaled system: one over its diagonal brings the iterations back to those of the well
// scaled one.
static void fewer_iterations(void** state)
{
    (void)state;
    problem plain = make(30), better = make(30);
    fill(&plain, 1713, 8, 1);
    fill(&better, 1713, 8, 1);
    scale_badly(&plain, 1714);
    scale_badly(&better, 1714);
    fill_inverse_diagonal(&better, precondition(&better));
    plain.args.tolerance = better.args.tolerance = 1e-4;
    const firn_cr_result a = run(&plain), b = run(&better);
    print_message("%d iterations, %d with the diagonal\n", a.iterations, b.iterations);
    assert_int_equal(b.reason, FIRN_CR_CONVERGED);
    // the tolerance, and what the recurrence has drifted
    assert_less(true_residual(&better), 2e-4);
    assert_greater(b.iterations, 3);
    assert_less(2 * b.iterations, a.iterations);
    drop(&plain);
    drop(&better);
}

// An indefinite A with a positive P, and an operator that vanishes: answers and reasons, not NaNs.
static void preconditioned_trouble(void** state)
{
    (void)state;
    problem p = make(12);
    fill(&p, 1715, 2, 1);
    for (int i = 0; i < 9; i++) p.d.K[i][i] = -3;
    firn_vec4* P = precondition(&p);
    any_source r = any_start(1716);
    for (int i = 0; i < 12; i++)
        for (int a = 0; a < 3; a++) P[i][a] = (firn_real)any_between(&r, 0.2, 1);
    p.args.tolerance = 1e-4;
    assert_int_equal(run(&p).reason, FIRN_CR_CONVERGED);
    assert_less(true_residual(&p), 2e-4);  // the tolerance, and what the recurrence has drifted
    for (int i = 0; i < 36; i++)
        for (int j = 0; j < 36; j++) p.d.K[i][j] = 0;
    const firn_cr_result none = run(&p);
    assert_int_equal(none.reason, FIRN_CR_STALLED);
    assert_true(finite_everywhere(&p));
    assert_greater(none.residual, 0.99);
    drop(&p);
}

// Sums with P run over the same chunks.
static void preconditioned_bits(void** state)
{
    (void)state;
    enum { COUNT = 5000 };
    firn_vec4* first = firn_alloc(COUNT, sizeof *first);
    for (int t = 0; t < 4; t++) {
        use_team((const int[]){1, 2, 3, 8}[t]);
        problem p = make(COUNT);
        firn_vec4* P = precondition(&p);
        any_source r = any_start(1717);
        for (int i = 0; i < COUNT; i++) {
            p.d.weight[i] = (firn_vec4){0, 0, 0, (firn_real)any_between(&r, 0.1, 2)};
            for (int a = 0; a < 3; a++) {
                p.b[i][a] = (firn_real)any_between(&r, -1, 1);
                P[i][a] = (firn_real)any_between(&r, 0.3, 1);
            }
        }
        p.args.self = &p;
        p.args.apply = apply_diagonal;
        p.args.tolerance = 1e-5;
        assert_int_equal(firn_cr_solve(&p.args, p.b, p.x).reason, FIRN_CR_CONVERGED);
        if (t == 0) memcpy(first, p.x, COUNT * sizeof *first);
        assert_memory_equal(first, p.x, COUNT * sizeof *first);
        drop(&p);
    }
    use_team(0);
    firn_free(first);
}

int test_linalg_preconditioned(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preconditioned), cmocka_unit_test(preconditioner_of_one),
        cmocka_unit_test(fewer_iterations), cmocka_unit_test(preconditioned_trouble),
        cmocka_unit_test(preconditioned_bits)};
    return cmocka_run_group_tests_name("linalg_preconditioned", tests, NULL, NULL);
}
