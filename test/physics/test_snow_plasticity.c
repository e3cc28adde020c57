// SPDX-License-Identifier: MIT
// T12: the plastic clamp and the hardening that follows from it.
#include "physics/snow_plasticity.h"

#include "figure.h"
#include "physics/snow_hardening.h"
#include "precise.h"
#include "seed.h"

static const firn_real theta_c = (firn_real)0.025, theta_s = (firn_real)0.0075, xi = 10, cap = 1000;

static firn_snow_clamped clamp(firn_mat3 F, firn_real J_P)
{
    return firn_snow_clamp(F, J_P, theta_c, theta_s);
}

// By how much the largest or smallest singular value leaves the box.
static double outside_box(firn_mat3 F)
{
    precise s[3];
    precise_singular_values(precise_from(F), s, NULL);
    return fmax((double)(s[0] - (1 + (precise)theta_s)), (double)((1 - (precise)theta_c) - s[2]));
}

// Kinds of trial: in the box, a little out, far out, nearly singular, huge.
static firn_mat3 trial(any_source* r, int kind)
{
    switch (kind) {
    case 0: return any_stretched(r, 0.976, 1.007);
    case 1: return any_stretched(r, 0.95, 1.03);
    case 2: return any_stretched(r, 0.2, 3);
    case 3: return any_stretched(r, 0.001, 1);
    default: return firn_m3_scale(any_stretched(r, 0.5, 2), (firn_real)100);
    }
}

static void random_trials(void** state)
{
    (void)state;
    any_source r = any_start(1201);
    double product = 0, box = 0, again = 0, shape = 0;
    for (int n = 0; n < 20000; n++) {
        const firn_mat3 F = trial(&r, n % 5);
        const firn_real J_P = (firn_real)any_between(&r, 0.5, 1.5);
        const firn_snow_clamped c = clamp(F, J_P);
        assert_false(c.inverted);
        // det(F_E) J_P is what the whole deformation keeps
        const double before = (double)precise_det(precise_from(F)) * (double)J_P;
        const double after = (double)precise_det(precise_from(c.F_E)) * (double)c.J_P;
        precise s[3];  // an absolute error of the smallest stretch is a larger relative one
        precise_singular_values(precise_from(F), s, NULL);
        product = fmax(product, fabs(after / before - 1) * (double)(s[2] / s[0]));
        box = fmax(box, outside_box(c.F_E));
        const firn_snow_clamped twice = clamp(c.F_E, c.J_P);
        again = fmax(again, (double)precise_distance(precise_from(twice.F_E), precise_from(c.F_E)));
        again = fmax(again, fabs((double)twice.J_P / (double)c.J_P - 1));
        // F_P = F_E^-1 F_hat is symmetric in the frame V: the clamp turns nothing. Its rotation
        // would show as a change of R; compare R of both.
        if (n % 5 < 3) {
            const precise3 R = precise_polar(precise_from(F)),
                           R_E = precise_polar(precise_from(c.F_E));
            shape = fmax(shape, (double)precise_distance(R, R_E));
        }
    }
    check_figure(T12_product, product);
    check_figure(T12_in_box, box);
    check_figure(T12_idempotent, again);
    check_figure(T12_same_rotation, shape);
}

// A full F_P carried along: F_E F_P = F over a history of steps, and det F_P = J_P.
static void history(void** state)
{
    (void)state;
    any_source r = any_start(1202);
    precise3 whole = precise_identity(), F_P = precise_identity();
    firn_snow_clamped c = {firn_m3_identity(), 1, false};
    double worst = 0;
    for (int step = 0; step < 200; step++) {
        const firn_mat3 grow = firn_m3_madd(firn_m3_identity(), 1, any_mat3(&r, 0.02));
        const firn_mat3 F_hat = firn_m3_mul(grow, c.F_E);
        whole = precise_mul(precise_from(grow), whole);
        c = clamp(F_hat, c.J_P);
        // F_P^new = F_E^-1 F_hat F_P; F_E^-1 = cof^T / det
        const precise3 F_E = precise_from(c.F_E);
        precise3 inverse;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const int a = (j + 1) % 3, b = (j + 2) % 3, d = (i + 1) % 3, e = (i + 2) % 3;
                inverse.m[i][j] =
                    (F_E.m[a][d] * F_E.m[b][e] - F_E.m[a][e] * F_E.m[b][d]) / precise_det(F_E);
            }
        F_P = precise_mul(precise_mul(inverse, precise_from(F_hat)), F_P);
        worst = fmax(worst, (double)precise_distance(precise_mul(F_E, F_P), whole) / (1 + step));
        worst = fmax(worst, fabs((double)precise_det(F_P) / (double)c.J_P - 1) / (1 + step));
    }
    check_figure(T12_product, worst);
}

static void given_values(void** state)
{
    (void)state;
    const firn_snow_clamped pressed = clamp(firn_m3_diagonal((firn_real)0.95, 1, 1), 1);
    check_figure(T12_compressed_J_P, pressed.J_P);
    check_figure(T12_compressed_hardening, firn_snow_hardening(xi, pressed.J_P, cap));
    const firn_snow_clamped torn = clamp(firn_m3_diagonal((firn_real)1.02, 1, 1), 1);
    check_figure(T12_stretched_J_P, torn.J_P);
    check_figure(T12_stretched_hardening, firn_snow_hardening(xi, torn.J_P, cap));
}

// Elastic trials come back bit for bit: snow at rest does not drift.
static void elastic_is_untouched(void** state)
{
    (void)state;
    any_source r = any_start(1203);
    for (int n = 0; n < 5000; n++) {
        const firn_mat3 F = any_stretched(&r, 0.9755, 1.0070);
        const firn_snow_clamped c = clamp(F, (firn_real)0.9);
        assert_memory_equal(&c.F_E, &F, sizeof F);
        assert_equal(c.J_P, (firn_real)0.9);
        assert_false(c.inverted);
    }
}

// Inverted, singular and non-finite trials are reported, and the hardening cannot run away.
static void inverted_is_reported(void** state)
{
    (void)state;
    any_source r = any_start(1204);
    for (int n = 0; n < 1000; n++) {
        firn_mat3 F = any_stretched(&r, 0.1, 2);
        for (int i = 0; i < 3; i++) F.m[i][n % 3] = -F.m[i][n % 3];
        assert_true(clamp(F, 1).inverted);
    }
    assert_true(clamp(firn_m3_diagonal(1, 1, -1), 1).inverted);  // F^T F = I looks elastic
    assert_true(clamp(firn_m3_diagonal(1, 1, 0), 1).inverted);
    assert_true(clamp(firn_m3_diagonal(0, 0, 0), 1).inverted);
    assert_true(clamp(firn_m3_diagonal((firn_real)NAN, 1, 1), 1).inverted);
    assert_true(clamp(firn_m3_diagonal((firn_real)INFINITY, 1, 1), 1).inverted);
    assert_equal(firn_snow_hardening(xi, -1, cap), cap);
    assert_equal(firn_snow_hardening(xi, 1, cap), 1);
    assert_equal(firn_snow_hardening(0, (firn_real)0.1, cap), 1);
    const firn_lame hard = firn_snow_harden((firn_lame){2, 3}, (firn_real)1.5);
    assert_equal(hard.mu, 3);
    assert_equal(hard.lambda, (firn_real)4.5);
}

int test_snow_plasticity(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trials), cmocka_unit_test(history), cmocka_unit_test(given_values),
        cmocka_unit_test(elastic_is_untouched), cmocka_unit_test(inverted_is_reported)};
    return cmocka_run_group_tests_name("snow_plasticity", tests, NULL, NULL);
}
