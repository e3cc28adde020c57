// SPDX-License-Identifier: MIT
// The 6x6 inertia of a body with snow: against its definition, and its factor.
#include "physics/rigid_lump.h"

#include <string.h>

#include "firn_test.h"

static const double r[3] = {0.3, -0.2, 0.5}, n[3] = {0.6, 0, 0.8};

// V . A V is the energy of what is carried: along n, and across it.
static void carries_mass(void** state)
{
    (void)state;
    const double V[6] = {1, -2, 0.5, 3, 0.2, -1};
    double A[FIRN_LUMP_TERMS] = {0}, AV[6], v[3], energy = 0;
    firn_lump_carry(r, n, 2, 0.5, A);
    firn_lump_apply(A, V, AV);
    for (int k = 0; k < 6; k++) energy += V[k] * AV[k];
    firn_lump_velocity(V, r, v);
    const double turned[3] = {v[0] - V[0], v[1] - V[1], v[2] - V[2]};
    assert_near(turned[0], 0.2 * 0.5 - -1 * -0.2, 1e-15);  // omega x r
    assert_near(turned[1], -1 * 0.3 - 3 * 0.5, 1e-15);
    assert_near(turned[2], 3 * -0.2 - 0.2 * 0.3, 1e-15);
    const double v_n = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    const double v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    assert_near(energy, 2 * v_n * v_n + 0.5 * (v2 - v_n * v_n), 1e-14);
    // work of a force at r is that of its push
    const double f[3] = {4, 1, -2};
    double push[6] = {0}, work = 0;
    firn_lump_push(r, f, push);
    for (int k = 0; k < 6; k++) work += push[k] * V[k];
    assert_near(work, f[0] * v[0] + f[1] * v[1] + f[2] * v[2], 1e-14);
}

static void is_solved(void** state)
{
    (void)state;
    double A[FIRN_LUMP_TERMS] = {0}, L[FIRN_LUMP_TERMS], inverse[FIRN_LUMP_TERMS];
    for (int k = 0; k < 6; k++) A[firn_lump_at(k, k)] = 1 + k;
    firn_lump_carry(r, n, 20, 3, A);
    assert_true(firn_lump_factor(A, L));
    const double x[6] = {1, 2, 3, -1, -2, 0.5};
    double y[6], b[6], back[6];
    firn_lump_apply(A, x, b);
    memcpy(y, b, sizeof y);
    firn_lump_forward(L, y);
    firn_lump_backward(L, y);
    firn_lump_invert(A, inverse);
    firn_lump_apply(inverse, b, back);
    double Lx[6];
    memcpy(Lx, x, sizeof Lx);
    firn_lump_transposed(L, Lx);
    double energy = 0, square = 0;
    for (int k = 0; k < 6; k++) {
        assert_near(y[k], x[k], 1e-13);
        assert_near(back[k], x[k], 1e-12);
        energy += x[k] * b[k];
        square += Lx[k] * Lx[k];
    }
    assert_near(square, energy, 1e-11);  // |L^T x|^2 = x . A x
}

static void refuses_what_is_not_positive(void** state)
{
    (void)state;
    double A[FIRN_LUMP_TERMS] = {0}, L[FIRN_LUMP_TERMS], inverse[FIRN_LUMP_TERMS];
    A[0] = A[firn_lump_at(1, 1)] = 1;  // no inertia in the other directions
    assert_false(firn_lump_factor(A, L));
    firn_lump_invert(A, inverse);
    for (int k = 0; k < FIRN_LUMP_TERMS; k++) assert_true(inverse[k] == 0);
}

int test_rigid_lump(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_mass),
        cmocka_unit_test(is_solved),
        cmocka_unit_test(refuses_what_is_not_positive),
    };
    return cmocka_run_group_tests_name("rigid_lump", tests, NULL, NULL);
}
