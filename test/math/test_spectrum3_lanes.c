// SPDX-License-Identifier: MIT
// Eigenvalues of symmetric matrices without iteration against Jacobi in a wider type: all kinds of
// spacing, sizes of strain from 1e-9 to 0.6.
#include "math/spectrum3_lanes.h"

#include "lanes_check.h"
#include "precise.h"

#define COUNT 16384

// Few epsilon: the deepest chain of roundings is det, root, adjugate, remainder.
static const double few = 16 * (double)FIRN_REAL_EPSILON;

static firn_mat3 A[COUNT], among[2 * COUNT];
static lanes_spectrum got[COUNT], before[COUNT], spread[2 * COUNT];

// Three eigenvalues of the k-th kind of spacing, largest magnitude 1.
static void spacing(any_source* r, int kind, double e[3])
{
    const double tiny = pow(10, any_between(r, -9, -2));
    for (int j = 0; j < 3; j++) e[j] = any_between(r, -1, 1);
    if (kind == 1) e[1] = e[0];
    if (kind == 2) e[1] = e[0] + tiny;
    if (kind == 3) e[2] = e[1] = e[0];
    if (kind == 4) e[1] = e[0] + tiny, e[2] = e[0] - tiny * any_between(r, 0, 1);
    if (kind == 5) e[0] = -e[1], e[2] = 0;  // det 0: two stand equally apart
    if (kind == 6) e[0] = -e[1], e[2] = tiny;
    if (kind == 7) e[0] = e[1] = e[2] = 0;
}

static void set_matrices(any_source* r)
{
    for (int n = 0; n < COUNT; n++) {
        double e[3];
        spacing(r, n % 8, e);
        const double size = n % 3 == 0 ? 0.3 : pow(10, any_between(r, -9, -0.5));
        const precise3 Q = precise_from(n % 16 < 8 ? any_rotation(r) : firn_m3_identity());
        precise3 S = {{{0}}};
        for (int j = 0; j < 3; j++) S.m[j][j] = (precise)(e[j] * size);
        A[n] = precise_to(precise_mul(precise_mul(Q, S), precise_transpose(Q)));
        A[n].m[1][0] = A[n].m[0][1];
        A[n].m[2][0] = A[n].m[0][2];
        A[n].m[2][1] = A[n].m[1][2];
    }
}

// Eigenvalues, largest first: singular values of A + |A| I, which is not negative, less |A|.
static void true_values(precise3 a, precise size, precise value[3])
{
    precise_singular_values(precise_madd(a, size, precise_identity()), value, NULL);
    for (int j = 0; j < 3; j++) value[j] -= size;
}

static void sort_down(precise v[3])
{
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2 - a; b++)
            if (v[b] < v[b + 1]) {
                const precise keep = v[b];
                v[b] = v[b + 1];
                v[b + 1] = keep;
            }
}

// Errors are measured by |A|. A deviator below `rounding` is not resolved: the value that stands
// apart is then off by up to twice that.
static void judge(const lanes_spectrum* s, firn_mat3 given)
{
    const precise3 a = precise_from(given);
    const precise size = precise_norm(a), rounding = (precise)FIRN_REAL_EPSILON / 100;
    const precise allowed = (precise)few * size + 2 * rounding;
    precise exact[3], value[3] = {(precise)s->value[0], (precise)s->value[1], (precise)s->value[2]};
    const precise mean = (value[1] + value[2]) / 2, apart = value[0];
    true_values(a, size, exact);
    sort_down(value);
    for (int j = 0; j < 3; j++) assert_near(value[j], exact[j], allowed);
    // apart P + mean (I - P) + D is the matrix again, and P is finite even where A has no axis
    precise3 back = precise_madd(precise_from(s->D), apart - mean, precise_from(s->P));
    back = precise_madd(back, mean, precise_identity());
    assert_at_most(precise_distance(back, a), allowed);
    assert_less(precise_norm(precise_from(s->P)), 1.5);
}

static void against_jacobi(void** state)
{
    (void)state;
    any_source r = any_start(4201);
    set_matrices(&r);
    spread_among_garbage(&r, COUNT, sizeof *A, A, among);
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->spectrum(COUNT, A, got);
        for (int n = 0; n < COUNT; n++) judge(&got[n], A[n]);
        k->spectrum(2 * COUNT, among, spread);
        assert_same_among_garbage(COUNT, sizeof *got, got, spread);
        assert_same_as_level_before(k, sizeof got, before, got);
    }
}

int test_spectrum3_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_jacobi)};
    return cmocka_run_group_tests_name("spectrum3_lanes", tests, NULL, NULL);
}
