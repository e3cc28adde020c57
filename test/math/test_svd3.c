// SPDX-License-Identifier: MIT
// T11: singular values of 3x3 matrices, a million of them against Jacobi in a wider type.
#include "math/svd3.h"

#include "svd3_judge.h"

#ifdef __SANITIZE_ADDRESS__
#define CASES 100000
#else
#define CASES 1000000
#endif

static void a_million_cases(void** state)
{
    (void)state;
    any_source r = any_start(1101);
    errors e = {0};
    for (int n = 0; n < CASES; n++) {
        const firn_mat3 F = case_of(&r, n % 13);
        judge(&e, F, firn_svd3_of(F));
    }
    report(&e);
}

// Matrices a person would write down.
static void exact_cases(void** state)
{
    (void)state;
    static const double list[][9] = {
        {1, 0, 0, 0, 1, 0, 0, 0, 1},         {0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 1, 0, 0, 0, 1, 1, 0, 0},         {-1, 0, 0, 0, 1, 0, 0, 0, 1},
        {-1, 0, 0, 0, -1, 0, 0, 0, -1},      {1, 1, 1, 1, 1, 1, 1, 1, 1},
        {1, 2, 3, 4, 5, 6, 7, 8, 9},         {0, 0, 5, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 3, 4, 0},         {1, 1, 0, 0, 1, 1e-30, 0, 0, 1},
        {1, 0, 0, 0, 1e-20, 0, 0, 0, 1e-35}, {3, 0, 0, 0, 2, 0, 0, 0, -1e-30},
        {2, -2, 0, 2, 2, 0, 0, 0, 0}};
    errors e = {0};
    for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
        firn_mat3 F;
        for (int i = 0; i < 9; i++) F.m[i / 3][i % 3] = (firn_real)list[n][i];
        judge(&e, F, firn_svd3_of(F));
    }
    report(&e);
    const firn_svd3 unit = firn_svd3_of(firn_m3_identity());
    assert_equal(unit.s.x, 1);
    assert_equal(unit.s.y, 1);
    assert_equal(unit.s.z, 1);
    const firn_svd3 zero = firn_svd3_of(firn_m3_diagonal(0, 0, 0));
    assert_equal(zero.s.x, 0);
    assert_equal(zero.s.y, 0);
    assert_equal(zero.s.z, 0);
}

// At the ends of the type's range U and V are still rotations; garbage does not hang.
static void extremes(void** state)
{
    (void)state;
    any_source r = any_start(1102);
    const firn_real sizes[] = {FIRN_REAL_MAX / 4, FIRN_REAL_TINY, FIRN_REAL_TINY / 64};
    for (int n = 0; n < 300; n++) {
        const firn_svd3 svd = firn_svd3_of(firn_m3_scale(any_mat3(&r, 1), sizes[n % 3]));
        assert_true(firn_m3_is_finite(svd.U));
        assert_true(firn_m3_is_finite(svd.V));
        assert_at_least(svd.s.x, svd.s.y);
        assert_at_least(svd.s.y, firn_abs(svd.s.z));
        // numbers below FIRN_REAL_TINY have lost digits; the factors are rotations all the same
        assert_less(precise_skewness(precise_from(svd.U)), 1e-5);
        assert_less(precise_skewness(precise_from(svd.V)), 1e-5);
    }
    for (int k = 0; k < 18; k++) {  // garbage comes back as garbage or as zero, but it comes back
        firn_mat3 F = any_mat3(&r, 1);
        F.m[k % 3][k / 3 % 3] = k < 9 ? (firn_real)NAN : (firn_real)INFINITY;
        const firn_svd3 svd = firn_svd3_of(F);
        assert_true(svd.s.x != 1 || !firn_v3_is_finite(svd.s));
    }
}

int test_svd3(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_cases),
                                       cmocka_unit_test(exact_cases), cmocka_unit_test(extremes)};
    return cmocka_run_group_tests_name("svd3", tests, NULL, NULL);
}
