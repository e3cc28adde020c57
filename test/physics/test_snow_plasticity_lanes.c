// SPDX-License-Identifier: MIT
// T12: the plastic clamp in lanes, against the scalar one and on its own terms.
#include "physics/snow_plasticity_lanes.h"

#include "figure.h"
#include "lanes_check.h"
#include "precise.h"

#define COUNT (FIRN_TEST_SANITIZED ? 2048 : 16384)

static const firn_real theta_c = (firn_real)0.025, theta_s = (firn_real)0.0075;
static lanes_trial trial[COUNT], again[COUNT], among[2 * COUNT];
static firn_snow_clamped got[COUNT], scalar[COUNT], twice[COUNT], before[COUNT], spread[2 * COUNT];

// U diag(s) V^T with given stretches.
static firn_mat3 stretched(any_source* r, double a, double b, double c)
{
    const firn_mat3 S = firn_m3_diagonal((firn_real)a, (firn_real)b, (firn_real)c);
    return firn_m3_mul_transposed(firn_m3_mul(any_rotation(r), S), any_rotation(r));
}

// In the box, a little out, around the end of the near branch (|F F^T - I| = 0.6), far out, nearly
// singular, huge; and equal stretches, in pairs and all three, apart by rounding or a little more.
static firn_mat3 case_of(any_source* r, int kind)
{
    const double a = any_between(r, 0.9, 1.1), b = any_between(r, 0.9, 1.1);
    const double tiny = pow(10, any_between(r, -8, -3));
    switch (kind) {
    case 0: return any_stretched(r, 0.976, 1.007);
    case 1: return any_stretched(r, 0.95, 1.03);
    case 2: return any_stretched(r, 0.9, 1.1);
    case 3: return any_stretched(r, 0.65, 1.35);
    case 4: return any_stretched(r, 0.2, 3);
    case 5: return any_stretched(r, 0.001, 1);
    case 6: return firn_m3_scale(any_stretched(r, 0.5, 2), 100);
    case 7: return stretched(r, a, a, b);
    case 8: return stretched(r, a, a, a);
    case 9: return stretched(r, a, a + tiny, b);
    case 10: return stretched(r, a, a + tiny, a - tiny);
    case 11: return stretched(r, 0.975, 1.0075, b);  // on the corners of the box
    case 12: return firn_m3_diagonal((firn_real)a, (firn_real)b, 1);
    case 13: return firn_m3_diagonal((firn_real)a, (firn_real)b, (firn_real)b);
    case 14: return firn_m3_diagonal((firn_real)a, (firn_real)a, (firn_real)a);
    default: return firn_m3_madd(firn_m3_identity(), (firn_real)tiny, any_mat3(r, 1));
    }
}

static double outside_box(firn_mat3 F)
{
    precise s[3];
    precise_singular_values(precise_from(F), s, NULL);
    return fmax((double)(s[0] - (1 + (precise)theta_s)), (double)((1 - (precise)theta_c) - s[2]));
}

typedef struct errors {
    double product, box, again, turn, scalar, scalar_J_P;
} errors;

static void judge(errors* e, int n)
{
    const lanes_trial* t = &trial[n];
    const firn_snow_clamped* c = &got[n];
    assert_false(c->inverted);
    const precise3 F = precise_from(t->F_hat), F_E = precise_from(c->F_E);
    precise s[3];  // an absolute error of the smallest stretch is a larger relative one
    precise_singular_values(F, s, NULL);
    const double kappa = (double)(s[0] / s[2]);
    const double ratio =
        (double)(precise_det(F_E) * (precise)c->J_P / (precise_det(F) * (precise)t->J_P));
    e->product = fmax(e->product, fabs(ratio - 1) / kappa);
    e->box = fmax(e->box, outside_box(c->F_E));
    e->again = fmax(e->again, (double)precise_distance(precise_from(twice[n].F_E), F_E));
    e->again = fmax(e->again, fabs((double)twice[n].J_P / (double)c->J_P - 1));
    if (kappa > 20) return;  // the axes of tiny stretches are not the scalar function's
    e->turn = fmax(e->turn, (double)precise_distance(precise_polar(F), precise_polar(F_E)));
    e->scalar = fmax(e->scalar, (double)precise_distance(precise_from(scalar[n].F_E), F_E) / kappa);
    e->scalar_J_P = fmax(e->scalar_J_P, fabs((double)scalar[n].J_P / (double)c->J_P - 1) / kappa);
}

static void random_trials(void** state)
{
    (void)state;
    any_source r = any_start(4801);
    for (int n = 0; n < COUNT; n++)
        trial[n] = (lanes_trial){case_of(&r, n % 16), (firn_real)any_between(&r, 0.5, 1.5), theta_c,
                                 theta_s};
    spread_among_garbage(&r, COUNT, sizeof *trial, trial, among);
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->clamp(COUNT, trial, got);
        k->clamp_scalar(COUNT, trial, scalar);
        for (int n = 0; n < COUNT; n++)
            again[n] = (lanes_trial){got[n].F_E, got[n].J_P, theta_c, theta_s};
        k->clamp(COUNT, again, twice);
        errors e = {0};
        for (int n = 0; n < COUNT; n++) judge(&e, n);
        check_figure(T12_product, e.product);
        check_figure(T12_in_box, e.box);
        check_figure(T12_idempotent, e.again);
        check_figure(T12_same_rotation, e.turn);
        print_message("level %d, from scalar: F_E %.3g J_P %.3g\n", k->level, e.scalar,
                      e.scalar_J_P);
        // both are within a few epsilon of the truth, times the trial's condition
        assert_at_most(e.scalar, 20 * (double)FIRN_REAL_EPSILON);
        assert_at_most(e.scalar_J_P, 20 * (double)FIRN_REAL_EPSILON);
        k->clamp(2 * COUNT, among, spread);
        assert_same_among_garbage(COUNT, sizeof *got, got, spread);
        assert_same_as_level_before(k, sizeof got, before, got);
    }
}

// A trial on the edges of its box, which Gershgorin's circles cannot doubt.
static lanes_trial on_the_edge(any_source* r)
{
    lanes_trial t;
    t.theta_c = (firn_real)any_between(r, 0.001, 0.1);
    t.theta_s = (firn_real)any_between(r, 0.001, 0.1);
    t.J_P = 1;
    const firn_real edge[3] = {1 - t.theta_c, 1 + t.theta_s, 1};
    t.F_hat = firn_m3_diagonal(edge[any_below(r, 3)], edge[any_below(r, 3)], edge[any_below(r, 3)]);
    return t;
}

// Elastic trials come back bit for bit, beside others that yield.
static void elastic_stays(void** state)
{
    (void)state;
    any_source r = any_start(4802);
    for (int n = 0; n < COUNT; n++) {
        const firn_mat3 F =
            n % 2 == 0 ? any_stretched(&r, 0.9751, 1.0074) : any_stretched(&r, 0.5, 1.5);
        trial[n] = (lanes_trial){F, (firn_real)any_between(&r, 0.5, 1.5), theta_c, theta_s};
        if (n % 4 == 2) trial[n] = on_the_edge(&r);
    }
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->clamp(COUNT, trial, got);
        for (int n = 0; n < COUNT; n += 2) {
            assert_memory_equal(&got[n].F_E, &trial[n].F_hat, sizeof trial[n].F_hat);
            assert_equal(got[n].J_P, trial[n].J_P);
        }
    }
}

// Reflections, zero determinants and garbage are told apart, and leave as they came.
static void inverted(void** state)
{
    (void)state;
    any_source r = any_start(4803);
    for (int n = 0; n < COUNT; n++) {
        const firn_mat3 Q = any_rotation(&r);
        firn_mat3 F = any_stretched(&r, 0.9, 1.1);
        if (n % 4 == 1) F = firn_m3_mul(Q, firn_m3_diagonal(1, 1, -1));  // F F^T = I all the same
        if (n % 4 == 2) F = firn_m3_diagonal(1, 1, 0);
        if (n % 4 == 3) F.m[n % 3][n / 3 % 3] = n % 8 == 3 ? (firn_real)NAN : (firn_real)INFINITY;
        trial[n] = (lanes_trial){F, 1, theta_c, theta_s};
    }
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->clamp(COUNT, trial, got);
        for (int n = 0; n < COUNT; n++) {
            assert_int_equal(got[n].inverted, n % 4 != 0);
            if (n % 4 != 0)
                assert_memory_equal(&got[n].F_E, &trial[n].F_hat, sizeof trial[n].F_hat);
            if (n % 4 != 0) assert_equal(got[n].J_P, 1);
        }
    }
}

// Boxes of other sizes, one per lane; one that is open above, as for snow that never tears.
static void other_boxes(void** state)
{
    (void)state;
    any_source r = any_start(4804);
    for (int n = 0; n < COUNT; n++)
        trial[n] = (lanes_trial){any_stretched(&r, 0.7, 1.3), 1, (firn_real)any_between(&r, 0, 0.3),
                                 n % 3 == 0 ? (firn_real)1e6 : (firn_real)any_between(&r, 0, 0.3)};
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->clamp(COUNT, trial, got);
        k->clamp_scalar(COUNT, trial, scalar);
        for (int n = 0; n < COUNT; n++)
            assert_at_most(precise_distance(precise_from(got[n].F_E), precise_from(scalar[n].F_E)),
                           (precise)(40 * FIRN_REAL_EPSILON));
    }
}

int test_snow_plasticity_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_trials),
                                       cmocka_unit_test(elastic_stays), cmocka_unit_test(inverted),
                                       cmocka_unit_test(other_boxes)};
    return cmocka_run_group_tests_name("snow_plasticity_lanes", tests, NULL, NULL);
}
