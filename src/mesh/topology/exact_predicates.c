// SPDX-License-Identifier: MIT
// Signs of determinants. Evaluates in plain arithmetic with an error bound first; only if that is
// inconclusive, exactly, with expansions: sums of doubles whose bits do not overlap (Dekker 1971;
// Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic). Coordinates are zero or between
// 1e-100 and 1e100, so that nothing over- or underflows.
#include "mesh/topology/exact_predicates.h"

// Half the distance from 1 to the next double (unit roundoff u).
#define HALF_ULP 1.1102230246251565e-16
// Bounds on the rounding of the plain determinants, relative to the sum of their absolute terms:
// (3 + 16 u) u and (7 + 56 u) u (Shewchuk 1997, sections 4.2 and 4.3), rounded up.
#define BOUND_2 (3.01 * HALF_ULP)
#define BOUND_3 (7.01 * HALF_ULP)

#define TERMS_MAX 192  // of the sums below: 3 products of (2 products of 2 and 2) and 2

// An expansion: smallest term first, none zero, bits do not overlap. The last term has its sign.
typedef struct expansion {
    int count;
    double terms[TERMS_MAX];
} expansion;

// a + b = sum + rounding error.
static double two_sum(double a, double b, double* out_rest)
{
    const double sum = a + b, shadow = sum - a;
    *out_rest = (a - (sum - shadow)) + (b - shadow);
    return sum;
}

// a b = product + rounding error. Halves of 26 bits multiply without rounding.
static double two_product(double a, double b, double* out_rest)
{
    const double splitter = 134217729;  // 2^27 + 1
    const double a_high = splitter * a - (splitter * a - a), a_low = a - a_high;
    const double b_high = splitter * b - (splitter * b - b), b_low = b - b_high;
    const double product = a * b;
    *out_rest = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    return product;
}

// Adds one double to an expansion.
static void grow(expansion* e, double x)
{
    int count = 0;
    for (int i = 0; i < e->count; i++) {
        double rest;
        x = two_sum(x, e->terms[i], &rest);
        if (rest != 0) e->terms[count++] = rest;
    }
    if (x != 0) e->terms[count++] = x;
    e->count = count;
}

// e += sign a b
static void add_product(expansion* e, const expansion* a, const expansion* b, int sign)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            double rest;
            const double product = two_product(sign * a->terms[i], b->terms[k], &rest);
            grow(e, rest);
            grow(e, product);
        }
}

// Initialises two terms; the others are not read.
static void set_difference(expansion* e, double a, double b)
{
    double rest;
    const double difference = two_sum(a, -b, &rest);
    e->count = 0;
    grow(e, rest);
    grow(e, difference);
}

static int sign_of(const expansion* e)
{
    if (e->count == 0) return 0;
    return e->terms[e->count - 1] > 0 ? 1 : -1;
}

static int orient2_exact(const double a[2], const double b[2], const double c[2])
{
    expansion ux, uy, vx, vy, sum;
    set_difference(&ux, a[0], c[0]);
    set_difference(&uy, a[1], c[1]);
    set_difference(&vx, b[0], c[0]);
    set_difference(&vy, b[1], c[1]);
    sum.count = 0;
    add_product(&sum, &ux, &vy, 1);
    add_product(&sum, &uy, &vx, -1);
    return sign_of(&sum);
}

int firn_orient2(const double a[2], const double b[2], const double c[2])
{
    const double left = (a[0] - c[0]) * (b[1] - c[1]);
    const double right = (a[1] - c[1]) * (b[0] - c[0]);
    const double sum = left - right;
    const double bound = BOUND_2 * (fabs(left) + fabs(right));
    if (sum > bound) return 1;
    if (-sum > bound) return -1;
    return orient2_exact(a, b, c);
}

static int orient3_exact(const double p[4][3])
{
    expansion e[3][3], minor, sum;  // rows: b - a, c - a, d - a
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) set_difference(&e[i][k], p[i + 1][k], p[0][k]);
    sum.count = 0;
    for (int k = 0; k < 3; k++) {
        const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        minor.count = 0;
        add_product(&minor, &e[1][k1], &e[2][k2], 1);
        add_product(&minor, &e[1][k2], &e[2][k1], -1);
        add_product(&sum, &minor, &e[0][k], 1);
    }
    return sign_of(&sum);
}

int firn_orient3(firn_vec3 a, firn_vec3 b, firn_vec3 c, firn_vec3 d)
{
    const double p[4][3] = {{(double)a.x, (double)a.y, (double)a.z},
                            {(double)b.x, (double)b.y, (double)b.z},
                            {(double)c.x, (double)c.y, (double)c.z},
                            {(double)d.x, (double)d.y, (double)d.z}};
    double e[3][3], sum = 0, size = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) e[i][k] = p[i + 1][k] - p[0][k];
    for (int k = 0; k < 3; k++) {
        const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        const double left = e[1][k1] * e[2][k2], right = e[1][k2] * e[2][k1];
        sum += e[0][k] * (left - right);
        size += fabs(e[0][k]) * (fabs(left) + fabs(right));
    }
    if (sum > BOUND_3 * size) return 1;
    if (-sum > BOUND_3 * size) return -1;
    return size > 0 ? orient3_exact(p) : 0;
}
