// SPDX-License-Identifier: MIT
// T01: cubic B-splines.
#include "math/bspline.h"

#include "figure.h"
#include "seed.h"

static void spot_values(void** state)
{
    (void)state;
    check_figure(T01_spline_at_0, firn_bspline(0));
    check_figure(T01_spline_at_half, firn_bspline((firn_real)0.5));
    check_figure(T01_spline_at_1, firn_bspline(1));
    check_figure(T01_spline_at_1_half, firn_bspline((firn_real)1.5));
    check_figure(T01_slope_at_half, firn_bspline_derivative((firn_real)0.5));
    check_figure(T01_slope_at_1, firn_bspline_derivative(1));
    check_figure(T01_slope_at_1_half, firn_bspline_derivative((firn_real)1.5));
    for (int k = 0; k < 500; k++) {  // even, odd, and zero outside
        const firn_real x = (firn_real)k / 100;
        assert_true(firn_bspline(-x) == firn_bspline(x));
        assert_true(firn_bspline_derivative(-x) == -firn_bspline_derivative(x));
        if (x >= 2) assert_true(firn_bspline(x) == 0 && firn_bspline_derivative(x) == 0);
    }
}

// The four polynomials that the solver evaluates are N and N' of the paper.
static void closed_forms(void** state)
{
    (void)state;
    any_source r = any_start(101);
    const double inverse_cell = 250;
    double worst = 0;
    for (int n = 0; n < 100000; n++) {
        const firn_real t = n == 0 ? 0 : (firn_real)any_between(&r, 0, 1);
        firn_real w[4], dw[4];
        firn_bspline_weights(t, w);
        firn_bspline_slopes(t, (firn_real)inverse_cell, dw);
        for (int k = 0; k < 4; k++) {
            const firn_real x = t + 1 - (firn_real)k;
            worst = fmax(worst, fabs((double)w[k] - (double)firn_bspline(x)));
            worst = fmax(worst,
                         fabs((double)dw[k] / inverse_cell - (double)firn_bspline_derivative(x)));
        }
    }
    check_figure(T01_closed_forms, worst);
}

// Sums over the 64 nodes of one particle, in double; lengths in cells, from the particle.
typedef struct moments {
    double zero, grad[3], first[3], x_grad[3][3], second[3][3];
} moments;

static void add_node(moments* m, const firn_weights* w, const firn_real dw[3][4], const int k[3])
{
    double weight = 1, grad[3], d[3];
    for (int a = 0; a < 3; a++) {
        weight *= (double)w->w[a][k[a]];
        d[a] = k[a] - 1 - (double)w->t[a];
        grad[a] = 1;
        for (int b = 0; b < 3; b++) grad[a] *= (double)(a == b ? dw[b][k[b]] : w->w[b][k[b]]);
    }
    m->zero += weight;
    for (int a = 0; a < 3; a++) {
        m->grad[a] += grad[a];
        m->first[a] += weight * d[a];
        for (int b = 0; b < 3; b++) {
            m->x_grad[a][b] += d[a] * grad[b];
            m->second[a][b] += weight * d[a] * d[b];
        }
    }
}

static moments moments_of(const firn_weights* w)
{
    moments m = {0};
    firn_real dw[3][4];
    for (int a = 0; a < 3; a++) firn_bspline_slopes(w->t[a], 1, dw[a]);
    for (int n = 0; n < 64; n++)
        add_node(&m, w, (const firn_real(*)[4])dw, (const int[3]){n & 3, (n >> 2) & 3, n >> 4});
    return m;
}

static void moments_everywhere(void** state)
{
    (void)state;
    any_source r = any_start(102);
    const double h = 0.004;
    double sum = 0, grad = 0, first = 0, x_grad = 0, second = 0;
    for (int n = 0; n < 100000; n++) {
        const firn_vec3 x = any_vec3(&r, 8 * h);
        const firn_weights w = firn_weights_at(x, (firn_real)(1 / h));
        const moments m = moments_of(&w);
        const double at[3] = {(double)x.x / h, (double)x.y / h, (double)x.z / h};
        sum = fmax(sum, fabs(m.zero - 1));
        for (int a = 0; a < 3; a++) {
            grad = fmax(grad, fabs(m.grad[a]));
            // the particle as the weights see it, and as it was given
            first = fmax(first, fabs(m.first[a]));
            first = fmax(first, fabs(w.base[a] + 1 + (double)w.t[a] - at[a]) / 8);
            for (int b = 0; b < 3; b++) {
                x_grad = fmax(x_grad, fabs(m.x_grad[a][b] - (a == b)));
                second = fmax(second, fabs(m.second[a][b] - (a == b ? 1.0 / 3 : 0)));
            }
        }
    }
    check_figure(T01_sum_w, sum);
    check_figure(T01_sum_grad_w, grad);
    check_figure(T01_sum_x_w, first);
    check_figure(T01_sum_x_grad_w, x_grad);
    check_figure(T01_second_moment, second);
}

// On a node, just below a node, negative: base and t stay consistent.
static void edges_of_cells(void** state)
{
    (void)state;
    const firn_real places[] = {0,
                                -0.0f,
                                1,
                                -1,
                                3,
                                -3,
                                (firn_real)-1e-20,
                                FIRN_REAL_TINY,
                                1 - FIRN_REAL_EPSILON / 2,
                                -1 + FIRN_REAL_EPSILON / 2,
                                1000,
                                -1000};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        int32_t base;
        firn_real t, w[4];
        firn_weights_axis(places[k], &base, &t);
        assert_true(t >= 0 && t <= 1);  // 1 itself when x is a hair below a node: still right
        assert_true(fabs((double)base + 1 + (double)t - (double)places[k]) <= 1e-7);
        firn_bspline_weights(t, w);
        for (int i = 0; i < 4; i++) {
            const double expected = (double)firn_bspline((firn_real)(base + i) - places[k]);
            assert_true(w[i] >= 0 && fabs((double)w[i] - expected) < 2e-7);
        }
    }
}

int test_bspline(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spot_values), cmocka_unit_test(closed_forms),
        cmocka_unit_test(moments_everywhere), cmocka_unit_test(edges_of_cells)};
    return cmocka_run_group_tests_name("bspline", tests, NULL, NULL);
}
