// SPDX-License-Identifier: MIT
// The floors of a step: the separated sums do what the plain ones do, with the operations that are
// claimed for them; the bytes are those of the fields.
#include "solver/mpm/support/mpm_roofline.h"

#include <math.h>

#include "solver/mpm/mpm_fields.h"
#include "splines.h"

static int g_ops;  // counted below

static double mul(double a, double b)
{
    g_ops++;
    return a * b;
}

static double fma2(double a, double b, double c)
{
    g_ops += 2;
    return a * b + c;
}

typedef struct spline {
    int side;  // nodes per axis: 4, or 3
    double w[3][4], s[3][4];
    double row[16][3];  // w_x w_y, s_x w_y, w_x s_y
} spline;

// h = 1. The cubic count is that of math/bspline.h with t^2 and u^2 shared.
static void cubic_axis(double x, double w[4], double s[4])
{
    const firn_real t = (firn_real)(x - floor(x));
    firn_real N[4], slope[4];
    firn_bspline_weights(t, N);
    firn_bspline_slopes(t, 1, slope);
    for (int k = 0; k < 4; k++) w[k] = N[k], s[k] = slope[k];
    g_ops += 6 + 2 * 2 + 2 * 4 + 2 * 1 + 2 * 4;
}

// The three nodes about the nearest, as they would be computed without the fourth.
static void quadratic_axis(double x, double w[4], double s[4])
{
    const double inverse_cell = 1;
    const double base = floor(fma2(x, inverse_cell, -0.5)), d = x - base - 1;
    const double low = 0.5 - d, high = 0.5 + d;
    g_ops += 4;  // floor, d, low, high
    w[0] = mul(mul(0.5, low), low);
    w[1] = fma2(-d, d, 0.75);
    w[2] = mul(mul(0.5, high), high);
    s[0] = mul(-inverse_cell, low);
    s[1] = mul(-2 * inverse_cell, d);
    s[2] = mul(inverse_cell, high);
}

static spline weights_at(firn_spline kind, firn_vec3 x)
{
    spline p = {.side = kind == FIRN_SPLINE_QUADRATIC ? 3 : 4};
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    for (int d = 0; d < 3; d++)
        (kind == FIRN_SPLINE_QUADRATIC ? quadratic_axis : cubic_axis)(at[d], p.w[d], p.s[d]);
    for (int k = 0; k < p.side * p.side; k++) {
        const int i = k / p.side, j = k % p.side;
        p.row[k][0] = mul(p.w[0][i], p.w[1][j]);
        p.row[k][1] = mul(p.s[0][i], p.w[1][j]);
        p.row[k][2] = mul(p.w[0][i], p.s[1][j]);
    }
    return p;
}

// Without the fourth node it is the spline that the solver uses.
static void three_nodes(void** state)
{
    (void)state;
    for (int k = 0; k < 100; k++) {
        const double x = 0.005 + k / 100.0;
        double w[4], s[4];
        firn_real N[4], slope[4];
        quadratic_axis(x, w, s);
        firn_quadratic_weights((firn_real)x, N);
        firn_quadratic_slopes((firn_real)x, 1, slope);
        for (int n = 0; n < 3; n++) {
            const int at = n + (x < 0.5 ? 0 : 1);
            // of at most 1: a few roundings of float
            assert_near(w[n], N[at], 1e-6);
            assert_near(s[n], slope[at], 1e-6);
        }
    }
}

// Mass, momentum, force of the nodes from (v m, m) and T.
static void scatter(const spline* p, const double mv[4], const double T[3][3], double node[64][7])
{
    for (int k = 0; k < p->side * p->side; k++) {
        double M[4], A[3], B[3];
        for (int c = 0; c < 4; c++) M[c] = mul(mv[c], p->row[k][0]);
        for (int c = 0; c < 3; c++) {
            A[c] = fma2(T[c][0], p->row[k][1], mul(T[c][1], p->row[k][2]));
            B[c] = mul(T[c][2], p->row[k][0]);
        }
        for (int z = 0; z < p->side; z++) {
            double* n = node[p->side * k + z];
            for (int c = 0; c < 4; c++) n[c] = fma2(M[c], p->w[2][z], n[c]);
            for (int c = 0; c < 3; c++)
                n[4 + c] = fma2(A[c], p->w[2][z], fma2(B[c], p->s[2][z], n[4 + c]));
        }
    }
}

// out: v^{n+1}, v^n, and the columns of grad v^{n+1}.
static void gather(const spline* p, double node[64][7], double out[5][3])
{
    for (int k = 0; k < p->side * p->side; k++) {
        double a[3] = {0}, old[3] = {0}, b[3] = {0};
        for (int z = 0; z < p->side; z++) {
            const double* n = node[p->side * k + z];
            for (int c = 0; c < 3; c++) {
                a[c] = fma2(n[c], p->w[2][z], a[c]);
                old[c] = fma2(n[4 + c], p->w[2][z], old[c]);
                b[c] = fma2(n[c], p->s[2][z], b[c]);
            }
        }
        for (int c = 0; c < 3; c++) {
            out[0][c] = fma2(a[c], p->row[k][0], out[0][c]);
            out[1][c] = fma2(old[c], p->row[k][0], out[1][c]);
            out[2][c] = fma2(a[c], p->row[k][1], out[2][c]);
            out[3][c] = fma2(a[c], p->row[k][2], out[3][c]);
            out[4][c] = fma2(b[c], p->row[k][0], out[4][c]);
        }
    }
}

// Sums of some dozens of products of order 1 in double, in another order.
static void the_same(double a, double b)
{
    assert_near(a, b, 1e-12);
}

static void transfers(void** state)
{
    const firn_spline kind = spline_of(state);
    static const double mv[4] = {0.3, -0.7, 0.2, 1.5};
    static const double T[3][3] = {{1, 0.2, -0.4}, {0.1, -2, 0.3}, {0.6, 0.5, 0.7}};
    double node[64][7] = {{0}}, out[5][3] = {{0}}, want[5][3] = {{0}};
    g_ops = 0;
    const spline p = weights_at(kind, firn_v3((firn_real)0.3, (firn_real)0.8, (firn_real)0.1));
    scatter(&p, mv, T, node);
    const spline q = weights_at(kind, firn_v3((firn_real)0.3, (firn_real)0.8, (firn_real)0.1));
    gather(&q, node, out);
    const int counted = g_ops;
    const int side = p.side;
    for (int n = 0; n < side * side * side; n++) {
        const int i = n / (side * side), j = n / side % side, k = n % side;
        const double w = p.w[0][i] * p.w[1][j] * p.w[2][k];
        const double g[3] = {p.s[0][i] * p.w[1][j] * p.w[2][k], p.w[0][i] * p.s[1][j] * p.w[2][k],
                             p.w[0][i] * p.w[1][j] * p.s[2][k]};
        for (int c = 0; c < 4; c++) the_same(node[n][c], mv[c] * w);
        for (int c = 0; c < 3; c++) {
            the_same(node[n][4 + c], T[c][0] * g[0] + T[c][1] * g[1] + T[c][2] * g[2]);
            want[0][c] += node[n][c] * w;
            want[1][c] += node[n][4 + c] * w;
            for (int d = 0; d < 3; d++) want[2 + d][c] += node[n][c] * g[d];
        }
    }
    for (int a = 0; a < 5; a++)
        for (int c = 0; c < 3; c++) the_same(out[a][c], want[a][c]);
    // deformation, spectrum, clamp, stress, motion: what is not a sum over nodes
    assert_equal(firn_mpm_roofline(kind, 0, 0).flops, counted + 63 + 165 + 105 + 61 + 34);
}

// Every field is read by the scatter; what changes is read and written by the gather.
static void bytes(void** state)
{
    (void)state;
    double changing = 0, constant = 0;
    enum { ALWAYS, FIRST_STEP, NEVER };
#define ADD_UP(field, type, kind, unit, step, when, values) \
    *(when == ALWAYS ? &changing : &constant) += sizeof(type);
    FIRN_MPM_FIELDS(ADD_UP)
#undef ADD_UP
    constant -= sizeof(uint32_t);  // the id, which no step reads
    const double material = 1;     // once more, for the thresholds of the clamp
    assert_equal(firn_mpm_roofline(FIRN_SPLINE_CUBIC, 0, 0).bytes,
                 3 * changing + constant + material);
}

// Nodes and iterations only add.
static void parts(void** state)
{
    const firn_spline kind = spline_of(state);
    const firn_roofline none = firn_mpm_roofline(kind, 0, 0), nodes = firn_mpm_roofline(kind, 0, 1);
    const firn_roofline one = firn_mpm_roofline(kind, 1, 1), two = firn_mpm_roofline(kind, 2, 1);
    assert_greater(nodes.flops, none.flops);
    assert_greater(nodes.bytes, none.bytes);
    assert_greater(one.flops, nodes.flops);
    assert_greater(one.bytes, nodes.bytes);
    assert_equal(two.flops - one.flops, one.flops - nodes.flops);
    assert_less(two.bytes - one.bytes, one.bytes - nodes.bytes);  // written once per step
}

int test_mpm_roofline(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_nodes), EACH_SPLINE(transfers),
                                       cmocka_unit_test(bytes), EACH_SPLINE(parts)};
    return cmocka_run_group_tests_name("mpm_roofline", tests, NULL, NULL);
}
