// SPDX-License-Identifier: MIT
// T17, the solver alone: conjugate residuals in a weighted product, on small systems with known
// answers, and on everything that could make it divide by zero.
#include "linalg/cr.h"

#include "linalg/dense.h"
#include "team_use.h"

static void definite(void** state)
{
    (void)state;
    problem p = make(20);
    fill(&p, 1701, 8, 1);
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_greater(r.iterations, 3);
    assert_at_most(r.iterations, 60);  // at most one per unknown
    assert_at_most(r.residual, SOLVED / 10);
    assert_less(true_residual(&p), 3 * SOLVED);
    assert_int_equal(p.d.applied,
                     r.iterations + 2);  // one for the residual, one to start, no waste
    // from the solution: nothing left to do, not a bit changes
    firn_vec4 before[20];
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
    problem p = make(12);
    fill(&p, 1702, 2, 1);
    for (int i = 0; i < 9; i++) p.d.K[i][i] = -3;
    p.args.tolerance = 1e-4;
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_less(true_residual(&p), 2e-4);  // the tolerance, and what the recurrence has drifted
    drop(&p);
}

static void fixed_entries_stay(void** state)
{
    (void)state;
    problem p = make(20);
    fill(&p, 1703, 8, 1);
    firn_vec4 wall[20];
    for (int i = 0; i < 20; i += 3) {
        p.d.fixed[i] = 1;
        p.x[i] = (firn_vec4){(firn_real)0.1 * (firn_real)i, -1, (firn_real)1e-30, 0};
    }
    memcpy(wall, p.x, sizeof wall);
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_less(true_residual(&p), 3 * SOLVED);  // which knows the wall's velocity
    for (int i = 0; i < 20; i += 3) assert_memory_equal(&p.x[i], &wall[i], sizeof wall[i]);
    for (int i = 0; i < 20; i++) p.d.fixed[i] = 1;  // all of them: nothing to solve
    memcpy(wall, p.x, sizeof wall);
    assert_int_equal(run(&p).iterations, 0);
    assert_memory_equal(wall, p.x, sizeof wall);
    drop(&p);
}

static void nothing_to_do(void** state)
{
    (void)state;
    problem p = make(5);
    fill(&p, 1704, 5, 1);
    memset(p.b, 0, 5 * sizeof *p.b);  // zero right-hand side
    firn_cr_result r = run(&p);
    assert_int_equal(r.iterations, 0);
    assert_equal(r.residual, 0);
    assert_equal(r.reason, FIRN_CR_CONVERGED);
    assert_true(finite_everywhere(&p));
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
    problem p = make(1);
    p.d.K[0][0] = p.d.K[1][1] = p.d.K[2][2] = 2;
    p.d.weight[0] = (firn_vec4){0, 0, 0, (firn_real)0.5};
    p.b[0] = (firn_vec4){4, -8, 1, 0};
    const firn_cr_result r = run(&p);
    assert_int_equal(r.iterations, 1);
    // one step solves it: a few roundings of float
    assert_near(p.x[0][0], 1, 1e-6);
    assert_near(p.x[0][1], -2, 1e-6);
    drop(&p);
}

static void tiny_masses(void** state)
{
    (void)state;
    problem p = make(10);
    fill(&p, 1705, 8, 1e-30);
    const firn_cr_result r = run(&p);
    assert_true(finite_everywhere(&p));
    assert_finite(r.residual);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    assert_less(true_residual(&p), 3 * SOLVED);
    drop(&p);
}

// A = 0, and a rotation (<r, Ar> = 0 at once): a reason, not a NaN.
static void hopeless(void** state)
{
    (void)state;
    problem p = make(2);
    p.d.weight[0] = p.d.weight[1] = (firn_vec4){0, 0, 0, 1};
    p.b[0] = (firn_vec4){1, 2, 3, 0};
    firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_STALLED);
    assert_true(finite_everywhere(&p));
    assert_greater(r.residual, 0.99);
    p.d.K[0][3] = 1;
    p.d.K[3][0] = -1;
    p.b[0] = (firn_vec4){1, 0, 0, 0};
    r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_STALLED);
    assert_true(finite_everywhere(&p));
    drop(&p);
}

static void runs_out_of_iterations(void** state)
{
    (void)state;
    problem p = make(20);
    fill(&p, 1706, 6, 1);
    p.args.max_iterations = 2;
    const firn_cr_result r = run(&p);
    assert_int_equal(r.reason, FIRN_CR_ITERATIONS);
    assert_int_equal(r.iterations, 2);
    // of order 1, from two steps of a recurrence in float
    assert_near(true_residual(&p), r.residual, 1e-4);
    drop(&p);
}

static void same_bits_for_any_threads(void** state)
{
    (void)state;
    enum { COUNT = 5000 };
    firn_vec4* first = firn_alloc(COUNT, sizeof *first);
    for (int t = 0; t < 4; t++) {
        use_team((const int[]){1, 2, 3, 8}[t]);
        problem p = make(COUNT);
        any_source r = any_start(1707);
        for (int i = 0; i < COUNT; i++) {
            p.d.weight[i] = (firn_vec4){0, 0, 0, (firn_real)any_between(&r, 0.1, 2)};
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
    use_team(0);
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
