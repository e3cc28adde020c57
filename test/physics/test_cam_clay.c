// SPDX-License-Identifier: MIT
// Cohesive Cam-Clay against its closed forms: the ellipse, the hardening curve, collapse.
#include "physics/cam_clay.h"

#include <math.h>

#include "firn_test.h"
#include "precise.h"
#include "seed.h"

// Strains are rounded to an epsilon of 1; the ellipse has half axes of about 1/20.
static const double off_surface = 100 * (double)FIRN_REAL_EPSILON;

static firn_cam_clay_law law_of(double friction, double cohesion, double xi, double collapse,
                                double cap)
{
    const firn_snow_material s = {
        .young = 1000000,
        .poisson = (firn_real)0.25,
        .cam_clay = {(firn_real)friction, (firn_real)cohesion, (firn_real)(cap * 1e6 / 1.5),
                     (firn_real)xi, (firn_real)collapse}};  // K = E / (3 (1 - 2 nu)) = E / 1.5
    return firn_cam_clay_law_of(&s);
}

// Pressure and von Mises stress over K, of the Hencky strain of F.
typedef struct stress {
    double p, q, trace;
} stress;

static stress stress_of(firn_mat3 F, double shear)
{
    precise s[3];
    precise_singular_values(precise_from(F), s, NULL);
    const double e[3] = {log((double)s[0]), log((double)s[1]), log((double)s[2])};
    const double trace = e[0] + e[1] + e[2];
    double dev2 = 0;
    for (int k = 0; k < 3; k++) dev2 += (e[k] - trace / 3) * (e[k] - trace / 3);
    return (stress){-trace, sqrt(6 * dev2) * shear, trace};
}

// y(p, q) relative to its smallest value, -M^2 ((1 + beta) p_0 / 2)^2.
static double yield(stress s, double M, double beta, double cap)
{
    const double y = (1 + 2 * beta) * s.q * s.q + M * M * (s.p + beta * cap) * (s.p - cap);
    return y / (M * M * 0.25 * (1 + beta) * (1 + beta) * cap * cap);
}

static void ends_on_the_ellipse(void** state)
{
    (void)state;
    any_source r = any_start(1901);
    int yielded = 0;
    double worst = 0, volume = 0, turned = 0, steepest = 0;
    for (int n = 0; n < 20000; n++) {
        const double M = any_between(&r, 0.3, 2), beta = any_between(&r, 0, 1);
        const double cap = any_between(&r, 0.02, 0.2);
        const firn_cam_clay_law law = law_of(M, beta, any_between(&r, 0.5, 20), 0, cap);
        const firn_mat3 F = any_stretched(&r, n % 2 ? 0.9 : 0.5, n % 2 ? 1.1 : 1.6);
        const firn_real J_P = (firn_real)any_between(&r, 0.5, 1.5);
        const firn_cam_clay_returned c = firn_cam_clay_return(F, J_P, law.alpha_0, &law);
        assert_false(c.inverted);
        const stress before = stress_of(F, (double)law.shear);
        const stress after = stress_of(c.F_E, (double)law.shear);
        const double kept =
            (double)firn_m3_det(c.F_E) * (double)c.J_P / ((double)firn_m3_det(F) * (double)J_P);
        volume = fmax(volume, fabs(kept - 1));
        const double y = yield(before, M, beta, cap);
        if (y <= -1e-5) {  // inside: nothing changes
            assert_memory_equal(&c.F_E, &F, sizeof F);
            assert_equal(c.alpha, law.alpha_0);
            continue;
        }
        if (y < 1e-5) continue;  // rounding decides
        yielded++;
        worst = fmax(worst, fabs(yield(after, M, beta, cap)) * cap / 0.02);
        // flow along the gradient of y: (p_t - p) / (q_t - q) = K y_p / (3 mu y_q), in units of K
        const double y_p = M * M * (2 * after.p + (beta - 1) * cap);
        const double y_q = 2 * (1 + 2 * beta) * after.q;
        const double across =
            (before.p - after.p) * 3 * (double)law.shear * y_q - (before.q - after.q) * y_p;
        const double flow = hypot(before.p - after.p, before.q - after.q);
        if (flow > 0.01)  // less is little more than rounding
            steepest = fmax(steepest, fabs(across) / (hypot(y_p, y_q) * flow));
        // alpha and J_P hold the plastic volume
        const double strain = before.trace - after.trace;
        assert_near((double)c.alpha - (double)law.alpha_0, strain, 10 * off_surface);
        const precise3 R = precise_polar(precise_from(F));
        turned = fmax(turned, (double)precise_distance(R, precise_polar(precise_from(c.F_E))));
    }
    print_message("%d yielded: off the ellipse %.2g, flow across the gradient %.2g, volume %.2g, "
                  "rotation %.2g\n",
                  yielded, worst, steepest, volume, turned);
    assert_in_range(yielded, 10000, 20000);
    // y changes by 200 times an error of strains where the cap is 0.02
    assert_less(worst, 4000 * (double)FIRN_REAL_EPSILON);
    assert_less(steepest, 1e4 * (double)FIRN_REAL_EPSILON);
    assert_less(volume, off_surface);
    assert_less(turned, off_surface);
}

// p = p_0(alpha) = K sinh(-xi alpha) all the way, and alpha = alpha_0 + log J_P.
static void isotropic_compression_follows_the_hardening(void** state)
{
    (void)state;
    for (double xi = 0.5; xi < 20; xi *= 3) {
        const firn_cam_clay_law law = law_of(1.2, 0.3, xi, 0, 0.01);
        firn_mat3 F = firn_m3_identity();
        firn_real J_P = 1, alpha = law.alpha_0;
        double trace = 0;
        for (int n = 0; n < 400; n++) {
            const firn_mat3 trial = firn_m3_scale(F, (firn_real)0.9998);
            const double cap = sinh(-xi * (double)alpha);
            trace += 3 * log((double)(firn_real)0.9998);
            const firn_cam_clay_returned c = firn_cam_clay_return(trial, J_P, alpha, &law);
            F = c.F_E;
            J_P = c.J_P;
            const double p = stress_of(F, 1).p;
            if (c.alpha < alpha) assert_near(p, cap, 1e-4 * cap + 0.1 * off_surface);
            alpha = c.alpha;
            assert_near((double)alpha - (double)law.alpha_0, log((double)J_P), 10 * off_surface);
        }
        // total strain = elastic + plastic
        assert_near(trace, -stress_of(F, 1).p + (double)alpha - (double)law.alpha_0,
                    off_surface * 30);
        assert_less(alpha, law.alpha_0);
    }
}

// The shear at which snow under a constant pressure yields: q = M sqrt((p + beta p_0)(p_0 - p) / (1
// + 2 beta)).
static void shear_yields_at_the_surface(void** state)
{
    (void)state;
    const double M = 1.1, beta = 0.4, cap = 0.03;
    const firn_cam_clay_law law = law_of(M, beta, 5, 0, cap);
    for (int k = 1; k < 10; k++) {
        const double p = -beta * cap + 0.1 * k * (1 + beta) * cap;
        double low = 0, high = 0.2;  // log stretch of pure shear
        for (int n = 0; n < 30; n++) {
            const double g = 0.5 * (low + high), size = exp(-p / 3);
            const firn_mat3 F = firn_m3_diagonal((firn_real)(size * exp(g)),
                                                 (firn_real)(size * exp(-g)), (firn_real)size);
            const firn_cam_clay_returned c = firn_cam_clay_return(F, 1, law.alpha_0, &law);
            *(memcmp(&c.F_E, &F, sizeof F) == 0 ? &low : &high) = g;
        }
        const double q = sqrt(6.0) * (double)law.shear * sqrt(2.0) * low;
        const double surface = M * sqrt((p + beta * cap) * (cap - p) / (1 + 2 * beta));
        assert_near(q, surface, 1e-4 * surface + 0.1 * off_surface);
    }
}

// A weak layer: compaction breaks its bonds, then it shrinks freely, then it resists again, without
// cohesion. Opening breaks them as well; without `collapse`, compaction hardens instead.
static void pores_collapse(void** state)
{
    (void)state;
    const double collapse = 0.2;
    for (int opening = 0; opening < 2; opening++) {
        const firn_cam_clay_law law = law_of(1.2, 0.3, 2, collapse, 0.01);
        const firn_real by = (firn_real)(opening ? 1.0005 : 0.9995);
        firn_mat3 F = firn_m3_identity();
        firn_real J_P = 1, alpha = law.alpha_0;
        double most = 0, low = 1;
        for (int n = 0; n < 100; n++) {
            const firn_cam_clay_returned c =
                firn_cam_clay_return(firn_m3_scale(F, by), J_P, alpha, &law);
            F = c.F_E;
            J_P = c.J_P;
            assert_at_least(c.alpha, alpha);
            alpha = c.alpha;
            const double p = fabs(stress_of(F, 1).p);
            most = fmax(most, p);
            low = n > 50 ? fmin(low, p) : low;
        }
        assert_near(most, opening ? 0.003 : 0.01, off_surface);
        assert_near(low, 0, off_surface);
        assert_true(firn_cam_clay_is_broken(&law, alpha));
        if (opening) continue;
        for (int n = 0; n < 40; n++) {  // 3 log 0.9995 a step: beyond the collapse
            const firn_cam_clay_returned c =
                firn_cam_clay_return(firn_m3_scale(F, by), J_P, alpha, &law);
            const double packing = -log((double)J_P) - collapse;
            F = c.F_E;
            if (c.J_P < J_P)
                assert_near(stress_of(F, 1).p, packing > 0 ? sinh(2 * packing) : 0,
                            0.1 * off_surface);
            J_P = c.J_P;
        }
        assert_less(J_P, (firn_real)exp(-collapse));
        const firn_mat3 pulled = firn_m3_scale(firn_m3_identity(), (firn_real)1.001);
        assert_near(stress_of(firn_cam_clay_return(pulled, J_P, alpha, &law).F_E, 1).p, 0,
                    0.1 * off_surface);
    }
}

static void refuses_what_is_inverted(void** state)
{
    (void)state;
    const firn_cam_clay_law law = law_of(1.2, 0.3, 2, 0, 0.01);
    assert_true(firn_cam_clay_return(firn_m3_diagonal(1, 1, -1), 1, -1, &law).inverted);
    assert_true(firn_cam_clay_return(firn_m3_diagonal(1, 1, 0), 1, -1, &law).inverted);
    assert_true(firn_cam_clay_return(firn_m3_diagonal(1, (firn_real)NAN, 1), 1, -1, &law).inverted);
    assert_true(firn_cam_clay_return(firn_m3_identity(), (firn_real)NAN, -1, &law).inverted);
    assert_true(firn_cam_clay_return(firn_m3_identity(), 1, (firn_real)INFINITY, &law).inverted);
    // without strength there is no stress
    const firn_cam_clay_returned c = firn_cam_clay_return(firn_m3_diagonal(2, 1, 1), 1, 0, &law);
    assert_near(stress_of(c.F_E, 1).q + fabs(stress_of(c.F_E, 1).p), 0, off_surface);
}

int test_cam_clay(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_on_the_ellipse),
        cmocka_unit_test(isotropic_compression_follows_the_hardening),
        cmocka_unit_test(shear_yields_at_the_surface), cmocka_unit_test(pores_collapse),
        cmocka_unit_test(refuses_what_is_inverted)};
    return cmocka_run_group_tests_name("cam_clay", tests, NULL, NULL);
}
