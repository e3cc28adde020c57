// SPDX-License-Identifier: MIT
// T01: cubic and quadratic B-splines.
#include "math/bspline.h"

#include "figure.h"
#include "seed.h"
#include "splines.h"

// Random arguments; fewer with sanitizers, which look for other errors.
enum { CASES = FIRN_TEST_SANITIZED ? 10000 : 100000 };

static firn_real value(firn_spline kind, firn_real x)
{
    return kind == FIRN_SPLINE_QUADRATIC ? firn_quadratic(x) : firn_bspline(x);
}

static firn_real derivative(firn_spline kind, firn_real x)
{
    return kind == FIRN_SPLINE_QUADRATIC ? firn_quadratic_derivative(x)
                                         : firn_bspline_derivative(x);
}

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
    // the quadratic ones are fractions that any real holds
    const firn_real at[] = {0, 0.25f, 0.5f, 1, 1.25f, 1.5f};
    const firn_real N[] = {0.75f, 0.6875f, 0.5f, 0.125f, 0.03125f, 0};
    const firn_real slope[] = {0, -0.5f, -1, -0.5f, -0.25f, 0};
    for (int k = 0; k < 6; k++) {
        assert_equal(firn_quadratic(at[k]), N[k]);
        assert_equal(firn_quadratic_derivative(at[k]), slope[k]);
    }
}

// Even, odd, and zero outside.
static void symmetry(void** state)
{
    const firn_spline kind = spline_of(state);
    const double end = kind == FIRN_SPLINE_QUADRATIC ? 1.5 : 2;
    for (int k = 0; k < 500; k++) {
        const firn_real x = (firn_real)k / 100;
        assert_equal(value(kind, -x), value(kind, x));
        assert_equal(derivative(kind, -x), -derivative(kind, x));
        if (x >= end) {
            assert_equal(value(kind, x), 0);
            assert_equal(derivative(kind, x), 0);
        }
    }
}

// The four polynomials that the solver evaluates are N and N'.
static void closed_forms(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(101);
    const double inverse_cell = 250;
    double worst = 0;
    for (int n = 0; n < CASES; n++) {
        const firn_real t = n == 0 ? 0 : (firn_real)any_between(&r, 0, 1);
        firn_real w[4], dw[4];
        firn_spline_weights(kind, t, w);
        firn_spline_slopes(kind, t, (firn_real)inverse_cell, dw);
        for (int k = 0; k < 4; k++) {
            const firn_real x = t + 1 - (firn_real)k;
            worst = fmax(worst, fabs((double)w[k] - (double)value(kind, x)));
            worst = fmax(worst, fabs((double)dw[k] / inverse_cell - (double)derivative(kind, x)));
        }
    }
    check_figure(T01_closed_forms, worst);
}

// Slopes are the weights' differences. A quadratic spline's are exact where no kink lies between
// the two places, a cubic one's off by e^2/6 |third derivative| <= e^2/2; rounding of weights, over
// 2e.
static void slopes_by_differences(void** state)
{
    const firn_spline kind = spline_of(state);
    const double e = sizeof(firn_real) == 8 ? 0x1p-16 : 0x1p-7, inverse_cell = 250;
    const double rounding = 3 * (double)FIRN_REAL_EPSILON / e;
    for (int n = 1; n < 1000; n++) {
        const double t = n / 1000.0;
        if (t < e || t > 1 - e || fabs(t - 0.5) < e) continue;
        firn_real low[4], high[4], dw[4];
        firn_spline_weights(kind, (firn_real)((firn_real)t - (firn_real)e), low);
        firn_spline_weights(kind, (firn_real)((firn_real)t + (firn_real)e), high);
        firn_spline_slopes(kind, (firn_real)t, (firn_real)inverse_cell, dw);
        for (int k = 0; k < 4; k++) {
            const double slope = ((double)high[k] - (double)low[k]) / (2 * e);
            assert_near((double)dw[k] / inverse_cell, slope, e * e / 2 + rounding);
        }
    }
}

// Weights and slopes on both sides of the cell's middle, where the quadratic spline changes its
// nodes, and of its edge, where nodes are counted from another base.
static void continuity(void** state)
{
    const firn_spline kind = spline_of(state);
    const firn_real below[] = {(firn_real)0.5 - FIRN_REAL_EPSILON / 4, 1 - FIRN_REAL_EPSILON / 2};
    const firn_real above[] = {(firn_real)0.5, 0};
    for (int edge = 0; edge < 2; edge++) {
        firn_real w[2][5] = {{0}}, s[2][5] = {{0}};
        firn_spline_weights(kind, below[edge], w[0]);
        firn_spline_slopes(kind, below[edge], 1, s[0]);
        firn_spline_weights(kind, above[edge], w[1] + edge);
        firn_spline_slopes(kind, above[edge], 1, s[1] + edge);
        for (int k = 0; k < 5; k++) {  // slopes up to 1, second derivatives up to 2
            assert_near(w[1][k], w[0][k], 2 * FIRN_REAL_EPSILON);
            assert_near(s[1][k], s[0][k], 3 * FIRN_REAL_EPSILON);
        }
    }
}

// Exactly three nodes, and the branch-free forms leave out the right one.
static void quadratic_nodes(void** state)
{
    (void)state;
    any_source r = any_start(103);
    for (int n = 0; n < 10000; n++) {
        const firn_real t = (firn_real)any_between(&r, 0.001, 0.999);
        firn_real w[4], dw[4];
        firn_quadratic_weights(t, w);
        firn_quadratic_slopes(t, 3, dw);
        const int left_out = t < (firn_real)0.5 ? 3 : 0;
        assert_equal(w[left_out], 0);
        assert_equal(dw[left_out], 0);
        for (int k = 0; k < 4; k++) assert_true(k == left_out || w[k] > 0 || t == (firn_real)0.5);
    }
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

static moments moments_of(firn_spline kind, const firn_weights* w)
{
    moments m = {0};
    firn_real dw[3][4];
    for (int a = 0; a < 3; a++) firn_spline_slopes(kind, w->t[a], 1, dw[a]);
    for (int n = 0; n < 64; n++)
        add_node(&m, w, (const firn_real(*)[4])dw, (const int[3]){n & 3, (n >> 2) & 3, n >> 4});
    return m;
}

static void moments_everywhere(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(102);
    const double h = 0.004, D = 1 / (double)firn_spline_affine(kind);  // h^2/3, h^2/4
    double sum = 0, grad = 0, first = 0, x_grad = 0, second = 0;
    for (int n = 0; n < CASES; n++) {
        const firn_vec3 x = any_vec3(&r, 8 * h);
        const firn_weights w = firn_weights_of(kind, x, (firn_real)(1 / h));
        const moments m = moments_of(kind, &w);
        const double at[3] = {(double)x.x / h, (double)x.y / h, (double)x.z / h};
        sum = fmax(sum, fabs(m.zero - 1));
        for (int a = 0; a < 3; a++) {
            grad = fmax(grad, fabs(m.grad[a]));
            // the particle as the weights see it, and as it was given
            first = fmax(first, fabs(m.first[a]));
            first = fmax(first, fabs(w.base[a] + 1 + (double)w.t[a] - at[a]) / 8);
            for (int b = 0; b < 3; b++) {
                x_grad = fmax(x_grad, fabs(m.x_grad[a][b] - (a == b)));
                second = fmax(second, fabs(m.second[a][b] - (a == b ? D : 0)));
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
    const firn_spline kind = spline_of(state);
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
        assert_at_least(t, 0);
        assert_at_most(t, 1);  // 1 itself when x is a hair below a node: still right
        // t rounds once, by at most half of FIRN_REAL_EPSILON
        assert_near((double)base + 1 + (double)t, places[k], 1e-7);
        firn_spline_weights(kind, t, w);
        for (int i = 0; i < 4; i++) {
            const double expected = (double)value(kind, (firn_real)(base + i) - places[k]);
            assert_at_least(w[i], 0);
            assert_near(w[i], expected, 2e-7);  // of at most 2/3: a few roundings each
        }
    }
}

int test_bspline(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spot_values),   EACH_SPLINE(symmetry),
        EACH_SPLINE(closed_forms),       EACH_SPLINE(slopes_by_differences),
        EACH_SPLINE(continuity),         cmocka_unit_test(quadratic_nodes),
        EACH_SPLINE(moments_everywhere), EACH_SPLINE(edges_of_cells)};
    return cmocka_run_group_tests_name("bspline", tests, NULL, NULL);
}
