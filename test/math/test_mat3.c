// SPDX-License-Identifier: MIT
// Vectors and 3x3 matrices against plain loops in a wider type.
#include "math/mat3.h"

#include "figure.h"
#include "precise.h"
#include "seed.h"

// Entries are at most 1 and each result is a sum of at most 9 products of 3: a few last places.
#define CLOSE (20 * (double)FIRN_REAL_EPSILON)

static double difference(firn_mat3 a, precise3 b)
{
    return (double)precise_distance(precise_from(a), b);
}

static void products(void** state)
{
    (void)state;
    any_source r = any_start(401);
    for (int n = 0; n < 2000; n++) {
        const firn_mat3 A = any_mat3(&r, 1), B = any_mat3(&r, 1);
        const precise3 a = precise_from(A), b = precise_from(B);
        assert_less(difference(firn_m3_mul(A, B), precise_mul(a, b)), CLOSE);
        assert_less(difference(firn_m3_mul_transposed(A, B), precise_mul(a, precise_transpose(b))),
                    CLOSE);
        assert_less(difference(firn_m3_transposed_mul(A, B), precise_mul(precise_transpose(a), b)),
                    CLOSE);
        assert_less(difference(firn_m3_madd(A, (firn_real)0.5, B), precise_madd(a, 0.5, b)), CLOSE);
        assert_less(difference(firn_m3_add(A, B), precise_madd(a, 1, b)), CLOSE);
        assert_less(difference(firn_m3_sub(A, B), precise_madd(a, -1, b)), CLOSE);
        assert_equal(difference(firn_m3_transpose(A), precise_transpose(a)), 0);
        assert_near(firn_m3_dot(A, B), precise_dot(a, b), CLOSE);
        assert_near(firn_m3_norm(A), precise_norm(a), CLOSE);
        assert_near(firn_m3_det(A), precise_det(a), CLOSE);
    }
}

static void times_a_vector(void** state)
{
    (void)state;
    any_source r = any_start(402);
    for (int n = 0; n < 500; n++) {
        const firn_mat3 A = any_mat3(&r, 1);
        const firn_vec3 v = any_vec3(&r, 1), w = any_vec3(&r, 1);
        // as one-column matrices
        const firn_mat3 V = firn_m3_from_columns(v, w, firn_v3(0, 0, 0));
        const precise3 AV = precise_mul(precise_from(A), precise_from(V));
        const precise3 AtV = precise_mul(precise_transpose(precise_from(A)), precise_from(V));
        const firn_vec3 Av = firn_m3_mul_v3(A, v), Atv = firn_m3_transposed_mul_v3(A, v);
        const firn_mat3 vwT = firn_m3_outer(v, w);
        for (int i = 0; i < 3; i++) {
            assert_near((&Av.x)[i], AV.m[i][0], CLOSE);
            assert_near((&Atv.x)[i], AtV.m[i][0], CLOSE);
            for (int j = 0; j < 3; j++) assert_equal(vwT.m[i][j], (&v.x)[i] * (&w.x)[j]);
        }
        const firn_vec3 c = firn_v3_cross(v, w);
        assert_near(firn_v3_dot(c, v), 0, CLOSE);
        assert_near(firn_v3_dot(c, w), 0, CLOSE);
        assert_near(firn_v3_dot(c, c) + firn_v3_dot(v, w) * firn_v3_dot(v, w),
                    firn_v3_dot(v, v) * firn_v3_dot(w, w), CLOSE);
        assert_equal(firn_m3_column(V, 1).y, w.y);
    }
    const firn_vec3 z = firn_v3_cross(firn_v3(1, 0, 0), firn_v3(0, 1, 0));
    assert_equal(z.x, 0);
    assert_equal(z.y, 0);
    assert_equal(z.z, 1);  // right-handed
}

static void inverse_and_cofactor(void** state)
{
    (void)state;
    any_source r = any_start(403);
    for (int n = 0; n < 500; n++) {
        const firn_mat3 A = any_stretched(&r, 0.5, 1.5);
        const firn_mat3 I = firn_m3_mul(A, firn_m3_inverse(A));
        assert_less(difference(I, precise_identity()), 4 * CLOSE);
        // cof(A)^T A = det(A) I, for any A
        const firn_mat3 B = any_mat3(&r, 1);
        const precise3 CB =
            precise_mul(precise_transpose(precise_from(firn_m3_cofactor(B))), precise_from(B));
        const precise det = precise_det(precise_from(B));
        assert_less(precise_distance(CB, precise_madd((precise3){0}, det, precise_identity())),
                    CLOSE);
    }
    // valid at singular matrices: cof(diag(2, 3, 0)) = diag(0, 0, 6)
    const firn_mat3 C = firn_m3_cofactor(firn_m3_diagonal(2, 3, 0));
    assert_equal(C.m[0][0], 0);
    assert_equal(C.m[1][1], 0);
    assert_equal(C.m[2][2], 6);
}

static void not_finite(void** state)
{
    (void)state;
    const firn_real bad[] = {(firn_real)NAN, (firn_real)INFINITY, -(firn_real)INFINITY};
    for (int n = 0; n < 27; n++) {
        firn_mat3 A = firn_m3_identity();
        A.m[n / 3 % 3][n % 3] = bad[n / 9];
        assert_false(firn_m3_is_finite(A));
        firn_vec3 v = firn_v3(1, 2, 3);
        (&v.x)[n % 3] = bad[n / 9];
        assert_false(firn_v3_is_finite(v));
    }
    assert_true(firn_m3_is_finite(firn_m3_diagonal(FIRN_REAL_MAX, -FIRN_REAL_MAX, 0)));
    assert_equal(firn_v3_normalize(firn_v3(0, 0, 0), firn_v3(0, 1, 0)).y, 1);
}

int test_mat3(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(times_a_vector),
                                       cmocka_unit_test(inverse_and_cofactor),
                                       cmocka_unit_test(not_finite)};
    return cmocka_run_group_tests_name("mat3", tests, NULL, NULL);
}
