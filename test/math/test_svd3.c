// SPDX-License-Identifier: MIT
// T11: singular values of 3x3 matrices, a million of them against Jacobi in a wider type.
#include "math/svd3.h"

#include "figure.h"
#include "seed.h"
#include "wide.h"

#ifdef __SANITIZE_ADDRESS__
#define CASES 100000
#else
#define CASES 1000000
#endif

#ifdef FIRN_DOUBLE
#define LARGEST_POWER 150  // squares stay finite at any scale of the type only because of scaling
#else
#define LARGEST_POWER 30
#endif

typedef struct errors {
    double product, U, V, determinant, values;
    int wrong_order, wrong_sign, not_finite;
} errors;

static double larger(double a, wide b)
{
    return (double)b > a ? (double)b : a;
}

// What a result must satisfy whatever F is.
static void judge(errors* e, firn_mat3 F, firn_svd3 svd)
{
    if (!firn_m3_is_finite(svd.U) || !firn_m3_is_finite(svd.V) || !firn_v3_is_finite(svd.s)) {
        e->not_finite++;
        return;
    }
    const wide3 f = wide_from(F), U = wide_from(svd.U), V = wide_from(svd.V);
    const wide size = wide_norm(f);
    wide s[3];
    wide_singular_values(f, s, NULL);
    const wide3 S = {{{(wide)svd.s.x, 0, 0}, {0, (wide)svd.s.y, 0}, {0, 0, (wide)svd.s.z}}};
    const wide scale = size > 0 ? size : 1;
    e->product =
        larger(e->product, wide_distance(wide_mul(wide_mul(U, S), wide_transpose(V)), f) / scale);
    e->U = larger(e->U, wide_skewness(U));
    e->V = larger(e->V, wide_skewness(V));
    e->determinant = larger(e->determinant, wide_abs(wide_det(U) - 1));
    e->determinant = larger(e->determinant, wide_abs(wide_det(V) - 1));
    e->values = larger(e->values, wide_abs((wide)svd.s.x - s[0]) / scale);
    e->values = larger(e->values, wide_abs((wide)svd.s.y - s[1]) / scale);
    e->wrong_order += !(svd.s.x >= svd.s.y && svd.s.y >= firn_abs(svd.s.z));
    // the sign of a value that is only rounding is anybody's
    const bool sure = wide_abs(s[2]) > (wide)(100 * FIRN_REAL_EPSILON) * scale;
    e->values = larger(e->values, (wide_abs(s[2]) - wide_abs((wide)svd.s.z)) / scale);
    e->values = larger(e->values, (wide_abs((wide)svd.s.z) - wide_abs(s[2])) / scale);
    if (sure) e->wrong_sign += (s[2] < 0) != (svd.s.z < 0);
}

static void report(const errors* e)
{
    assert_int_equal(e->not_finite, 0);
    assert_int_equal(e->wrong_order, 0);
    assert_int_equal(e->wrong_sign, 0);
    check_figure(T11_product, e->product);
    check_figure(T11_U_orthogonal, e->U);
    check_figure(T11_V_orthogonal, e->V);
    check_figure(T11_determinant, e->determinant);
    check_figure(T11_values, e->values);
}

static firn_mat3 scaled_columns(any_source* r, firn_mat3 F, double power, bool rows)
{
    for (int j = 0; j < 3; j++) {
        const firn_real s = (firn_real)pow(10, any_between(r, -power, power));
        for (int i = 0; i < 3; i++) {
            if (rows)
                F.m[j][i] *= s;
            else
                F.m[i][j] *= s;
        }
    }
    return F;
}

// A matrix of the k-th kind; the kinds go round.
static firn_mat3 case_of(any_source* r, int kind)
{
    const firn_mat3 F = any_mat3(r, 1);
    const firn_mat3 Q = any_rotation(r);
    const firn_real a = (firn_real)any_between(r, -2, 2), b = (firn_real)any_between(r, 0, 2);
    switch (kind) {
    case 0: return F;
    case 1: return any_stretched(r, 0.9, 1.1);  // what snow is
    case 2: return firn_m3_scale(F, (firn_real)pow(10, any_between(r, -12, 12)));
    case 3: return firn_m3_mul(firn_m3_mul(Q, firn_m3_diagonal(b, b, a)), any_rotation(r));
    case 4: return firn_m3_scale(Q, b);                            // all three equal
    case 5: return firn_m3_outer(any_vec3(r, 1), any_vec3(r, 1));  // rank 1
    case 6: return firn_m3_mul(firn_m3_mul(Q, firn_m3_diagonal(1, b, 0)), any_rotation(r));
    case 7: return firn_m3_mul(firn_m3_mul(Q, firn_m3_diagonal(2, b, -b)), any_rotation(r));
    case 8: return scaled_columns(r, F, 6, false);
    case 9: return scaled_columns(r, F, 6, true);
    case 10: return firn_m3_madd(firn_m3_identity(), (firn_real)1e-7, F);  // nearly I
    case 11: return firn_m3_add(Q, firn_m3_scale(F, FIRN_REAL_EPSILON));   // nearly a rotation
    default:
        return firn_m3_scale(F, (firn_real)pow(10, any_between(r, -LARGEST_POWER, LARGEST_POWER)));
    }
}

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
    assert_true(unit.s.x == 1 && unit.s.y == 1 && unit.s.z == 1);
    const firn_svd3 zero = firn_svd3_of(firn_m3_diagonal(0, 0, 0));
    assert_true(zero.s.x == 0 && zero.s.y == 0 && zero.s.z == 0);
}

// At the ends of the type's range U and V are still rotations; garbage does not hang.
static void extremes(void** state)
{
    (void)state;
    any_source r = any_start(1102);
    const firn_real sizes[] = {FIRN_REAL_MAX / 4, FIRN_REAL_TINY, FIRN_REAL_TINY / 64};
    for (int n = 0; n < 300; n++) {
        const firn_svd3 svd = firn_svd3_of(firn_m3_scale(any_mat3(&r, 1), sizes[n % 3]));
        assert_true(firn_m3_is_finite(svd.U) && firn_m3_is_finite(svd.V));
        assert_true(svd.s.x >= svd.s.y && svd.s.y >= firn_abs(svd.s.z));
        assert_true(wide_skewness(wide_from(svd.U)) < 1e-5 &&
                    wide_skewness(wide_from(svd.V)) < 1e-5);
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
