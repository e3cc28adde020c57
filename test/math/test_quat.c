// SPDX-License-Identifier: MIT
// Quaternions: they turn as Rodrigues' formula says, in the right direction.
#include "math/quat.h"

#include "figure.h"
#include "precise.h"
#include "seed.h"

#define CLOSE (30 * (double)FIRN_REAL_EPSILON)

static double distance(firn_vec3 a, firn_vec3 b)
{
    return (double)firn_v3_length(firn_v3_sub(a, b));
}

static void from_vector(void** state)
{
    (void)state;
    any_source r = any_start(501);
    for (int n = 0; n < 2000; n++) {
        const firn_vec3 w = any_vec3(&r, n % 2 ? 3 : 1e-4), v = any_vec3(&r, 1);
        const firn_mat3 Q = firn_q_to_m3(firn_q_from_vector(w));
        assert_less(precise_skewness(precise_from(Q)), CLOSE);
        assert_near(precise_det(precise_from(Q)), 1, CLOSE);
        // Rodrigues: v cos + (k x v) sin + k (k.v)(1 - cos)
        const double angle = sqrt((double)w.x * w.x + (double)w.y * w.y + (double)w.z * w.z);
        const firn_vec3 k = firn_v3_scale(w, (firn_real)(1 / angle));
        const firn_real c = (firn_real)cos(angle), s = (firn_real)sin(angle);
        const firn_vec3 turned =
            firn_v3_add(firn_v3_add(firn_v3_scale(v, c), firn_v3_scale(firn_v3_cross(k, v), s)),
                        firn_v3_scale(k, firn_v3_dot(k, v) * (1 - c)));
        assert_less(distance(firn_m3_mul_v3(Q, v), turned), CLOSE);
        assert_less(distance(firn_q_rotate(firn_q_from_vector(w), v), turned), CLOSE);
    }
    const firn_quat none = firn_q_from_vector(firn_v3(0, 0, 0));
    assert_equal(none.w, 1);
    assert_equal(none.x, 0);
    assert_equal(none.y, 0);
    assert_equal(none.z, 0);
}

// A quarter turn about z takes x to y: the direction that a sign error would reverse.
static void right_handed(void** state)
{
    (void)state;
    const firn_quat q = firn_q_from_vector(firn_v3(0, 0, (firn_real)1.5707963267948966));
    assert_less(distance(firn_q_rotate(q, firn_v3(1, 0, 0)), firn_v3(0, 1, 0)), CLOSE);
    // Euler: about x first. x -> x, then y turns it to -z, then z leaves it.
    const firn_real quarter = (firn_real)1.5707963267948966;
    const firn_quat e = firn_q_from_euler(firn_v3(quarter, quarter, quarter));
    assert_less(distance(firn_q_rotate(e, firn_v3(1, 0, 0)), firn_v3(0, 0, -1)), CLOSE);
    assert_less(distance(firn_q_rotate(e, firn_v3(0, 1, 0)), firn_v3(0, 1, 0)), CLOSE);
}

static void product_is_composition(void** state)
{
    (void)state;
    any_source r = any_start(502);
    for (int n = 0; n < 500; n++) {
        const firn_quat a = firn_q_from_vector(any_vec3(&r, 3));
        const firn_quat b = firn_q_from_vector(any_vec3(&r, 3));
        const firn_vec3 v = any_vec3(&r, 1);
        assert_less(
            distance(firn_q_rotate(firn_q_mul(a, b), v), firn_q_rotate(a, firn_q_rotate(b, v))),
            CLOSE);
        const firn_vec3 back = firn_q_rotate(firn_q_conjugate(a), firn_q_rotate(a, v));
        assert_less(distance(back, v), CLOSE);
    }
    const firn_quat long_one = firn_q_normalize((firn_quat){0, 3, 0, 4});
    assert_near(long_one.x, 0.6, CLOSE);
    assert_near(long_one.z, 0.8, CLOSE);
    assert_equal(firn_q_normalize((firn_quat){0, 0, 0, 0}).w, 1);
    const firn_vec3 same = firn_q_rotate(firn_q_identity(), firn_v3(1, 2, 3));
    assert_equal(same.x, 1);
    assert_equal(same.y, 2);
    assert_equal(same.z, 3);
}

static void between(void** state)
{
    (void)state;
    any_source r = any_start(503);
    for (int n = 0; n < 2000; n++) {
        const firn_vec3 a = firn_v3_normalize(any_vec3(&r, 1), firn_v3(1, 0, 0));
        firn_vec3 b = firn_v3_normalize(any_vec3(&r, 1), firn_v3(0, 1, 0));
        if (n % 4 == 1) b = a;
        if (n % 4 == 2) b = firn_v3_scale(a, -1);
        // nearly opposite: 1 + a.b loses half of the digits, sqrt(epsilon) is what is left
        const double close = n % 4 == 2 ? 2e-3 : 1e-4;
        assert_less(distance(firn_q_rotate(firn_q_between(a, b), a), b), close);
    }
}

int test_quat(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_vector), cmocka_unit_test(right_handed),
        cmocka_unit_test(product_is_composition), cmocka_unit_test(between)};
    return cmocka_run_group_tests_name("quat", tests, NULL, NULL);
}
