// SPDX-License-Identifier: MIT
// T11: the polar decomposition, near rotations (Newton) and far from them (SVD).
#include "math/polar3.h"

#include "figure.h"
#include "precise.h"
#include "seed.h"

typedef struct errors {
    double rotation, product, orthogonal;
} errors;

static double larger(double a, precise b)
{
    return (double)b > a ? (double)b : a;
}

// `exact`: F is regular with det > 0, so that R is unique and can be compared.
static void judge(errors* e, firn_mat3 F, bool exact)
{
    const firn_mat3 R = firn_polar3_rotation(F);
    const firn_mat3 S = firn_polar3_stretch(R, F);
    assert_true(firn_m3_is_finite(R));
    const precise3 f = precise_from(F), r = precise_from(R);
    const precise size = precise_norm(f) > 0 ? precise_norm(f) : 1;
    e->orthogonal = larger(e->orthogonal, precise_skewness(r));
    e->orthogonal = larger(e->orthogonal, precise_abs(precise_det(r) - 1));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) assert_equal(S.m[i][j], S.m[j][i]);
    if (!exact) return;
    e->product = larger(e->product, precise_distance(precise_mul(r, precise_from(S)), f) / size);
    e->rotation = larger(e->rotation, precise_distance(r, precise_polar(f)));
}

static void report(const errors* e)
{
    check_figure(T11_polar_rotation, e->rotation);
    check_figure(T11_polar_product, e->product);
    check_figure(T11_U_orthogonal, e->orthogonal);
}

static void near_rotations(void** state)
{
    (void)state;
    any_source r = any_start(1111);
    errors e = {0};
    for (int n = 0; n < 100000; n++) {
        const firn_mat3 F =
            n % 4 == 0   ? any_stretched(&r, 0.975, 1.0075)
            : n % 4 == 1 ? any_stretched(&r, 0.5, 1.5)
            : n % 4 == 2 ? any_rotation(&r)
                         : firn_m3_madd(firn_m3_identity(), (firn_real)1e-4, any_mat3(&r, 1));
        judge(&e, F, true);
    }
    judge(&e, firn_m3_identity(), true);
    report(&e);
}

// Large, small, around the bounds between the two methods; conditions up to 10, which R's error
// feels.
static void far_from_rotations(void** state)
{
    (void)state;
    any_source r = any_start(1112);
    errors e = {0};
    for (int n = 0; n < 20000; n++) {
        const firn_real size = (firn_real)pow(10, n % 3 == 0   ? 0
                                                  : n % 3 == 1 ? any_between(&r, -0.3, 0.3)
                                                               : any_between(&r, -9, 9));
        judge(&e, firn_m3_scale(any_stretched(&r, 0.3, 1.5), size), true);
    }
    report(&e);
}

// Inverted, singular and zero: R is a rotation all the same.
static void no_unique_answer(void** state)
{
    (void)state;
    any_source r = any_start(1113);
    errors e = {0};
    for (int n = 0; n < 20000; n++) {
        firn_mat3 F = any_mat3(&r, 1.5);
        if (n % 3 == 1) F = firn_m3_outer(any_vec3(&r, 2), any_vec3(&r, 2));
        if (n % 3 == 2) F = firn_m3_mul(F, firn_m3_diagonal(1, 1, 0));
        judge(&e, F, false);
    }
    judge(&e, firn_m3_diagonal(0, 0, 0), false);
    judge(&e, firn_m3_diagonal(-1, -1, -1), false);
    judge(&e, firn_m3_diagonal(1, 1, -1), false);
    check_figure(T11_U_orthogonal, e.orthogonal);
}

int test_polar3(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(near_rotations),
                                       cmocka_unit_test(far_from_rotations),
                                       cmocka_unit_test(no_unique_answer)};
    return cmocka_run_group_tests_name("polar3", tests, NULL, NULL);
}
