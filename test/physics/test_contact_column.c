// SPDX-License-Identifier: MIT
// Contact at a surface between nodes: what a column of nodes does.
#include "physics/contact_column.h"

#include "figure.h"
#include "math/bspline.h"
#include "seed.h"

static const firn_vec3 up = {0, 1, 0};

// `value` within `tolerance` of `expected`.
static void check_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%g instead of %g +- %g", value, expected, tolerance);
}

// Nodes at -2, -1, 0, 1 (m), in cells, at a plane at height `surface`: mass, share r, velocity.
typedef struct column {
    int count;
    firn_real mass[5], r[5];
    firn_vec3 u[5];
} column;

static column column_at(double surface)
{
    column c = {0};
    const double behind = surface + FIRN_CONTACT_BEHIND;
    const int m = (int)ceil(behind - 1e-9);
    for (int i = m; i > surface - 2; i--) {
        c.r[c.count] = (firn_real)((i - surface) / (m - surface));
        c.mass[c.count++] = (firn_real)(1.0 / (1 + m - i));
    }
    return c;
}

static firn_contact_held hold(const column* c, firn_real mu)
{
    firn_contact_column sums = firn_contact_column_none();
    for (int k = 0; k < c->count; k++) firn_contact_column_add(&sums, c->mass[k], c->r[k], c->u[k]);
    return firn_contact_column_hold(&sums, up, mu);
}

// Impulse that the snow gets.
static firn_vec3 collide(column* c, firn_real mu)
{
    const firn_contact_held held = hold(c, mu);
    firn_vec3 J = firn_v3(0, 0, 0);
    for (int k = 0; k < c->count; k++) {
        const firn_vec3 u = firn_contact_column_velocity(&held, up, c->r[k], c->u[k]);
        J = firn_v3_madd(J, c->mass[k], firn_v3_sub(u, c->u[k]));
        c->u[k] = u;
    }
    return J;
}

// Snow that ends at a plane and is under uniform stress pushes node i with N(i - surface) of it. A
// column at rest has to carry what its nodes give to m, sum of r_i N(i - surface): none of it with
// exact conditions, up to 1/16 as only one node outside belongs to it. The paper's nodes inside
// leave 1/6 of it to the nodes outside where the plane is on nodes, 1/2 between them, and more.
static void uniform_stress_is_carried(void** state)
{
    (void)state;
    for (int k = 0; k <= 40; k++) {
        const double surface = k / 40.0;
        const int m = (int)ceil(surface + FIRN_CONTACT_BEHIND - 1e-9);
        double left = 0, outside = 0;
        for (int i = -2; i <= 3; i++) {
            const double N = (double)firn_bspline((firn_real)(i - surface));
            if (i <= m) left += N * (i - surface) / (m - surface);
            if (i > surface) outside += N;
        }
        if (fabs(left) > 1.0 / 16 + 1e-6) fail_msg("%g of the stress at %g", left, surface);
        if (k == 0) assert_true(fabs(outside - 1.0 / 6) < 1e-6);
        if (k == 20) assert_true(fabs(outside - 0.5) < 1e-6);
    }
}

// Strain at any rate is a motion that contact leaves as it is.
static void strain_is_unchanged(void** state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        column c = column_at(k / 20.0);
        for (int i = 0; i < c.count; i++) c.u[i] = firn_v3(0, -3 * c.r[i], 0);
        const firn_vec3 J = collide(&c, 0);
        check_near((double)firn_v3_length(J), 0, 1e-5);
        for (int i = 0; i < c.count; i++) check_near((double)c.u[i].y, (double)(-3 * c.r[i]), 1e-5);
    }
}

static void set_any(column* c, any_source* r)
{
    const firn_vec3 mean = any_vec3(r, 3);
    for (int i = 0; i < c->count; i++) c->u[i] = firn_v3_add(mean, any_vec3(r, 1));
}

// Pushes only; friction is Coulomb's; energy never grows; snow that is held meets the condition.
static void invariants(void** state)
{
    (void)state;
    any_source r = any_start(2502);
    int held = 0, sticking = 0;
    for (int n = 0; n < 2000; n++) {
        column c = column_at(any_between(&r, 0, 1));
        set_any(&c, &r);
        column before = c;
        const firn_real mu = (firn_real)any_between(&r, 0, 2);
        const firn_vec3 J = collide(&c, mu);
        if (!(firn_v3_length(J) > 0)) {
            assert_memory_equal(c.u, before.u, sizeof c.u);
            continue;
        }
        held++;
        const double along = (double)firn_v3_length(firn_v3(J.x, 0, J.z));
        assert_true(J.y > 0 && along <= (double)(mu * J.y) * (1 + 1e-4) + 1e-5);
        double energy[2] = {0, 0};
        for (int i = 0; i < c.count; i++) {
            energy[0] += (double)(before.mass[i] * firn_v3_dot(before.u[i], before.u[i]));
            energy[1] += (double)(c.mass[i] * firn_v3_dot(c.u[i], c.u[i]));
            check_near((double)c.u[i].y, (double)(c.r[i] * c.u[0].y), 1e-4);
        }
        assert_true(energy[1] <= energy[0] * (1 + 1e-5));
        if (along > 0.999 * (double)(mu * J.y)) continue;
        sticking++;
        for (int i = 0; i < c.count; i++)
            check_near((double)c.u[i].x, (double)(c.r[i] * c.u[0].x), 1e-4);
    }
    assert_true(held > 500 && sticking > 100 && held - sticking > 100);
}

static void separating_is_unchanged(void** state)
{
    (void)state;
    column c = column_at(0.3);
    for (int i = 0; i < c.count; i++) c.u[i] = firn_v3(1, (firn_real)0.5, 0);
    column before = c;
    check_near((double)firn_v3_length(collide(&c, 1)), 0, 0);
    assert_memory_equal(c.u, before.u, sizeof c.u);
}

int test_contact_column(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_stress_is_carried), cmocka_unit_test(strain_is_unchanged),
        cmocka_unit_test(invariants), cmocka_unit_test(separating_is_unchanged)};
    return cmocka_run_group_tests_name("contact_column", tests, NULL, NULL);
}
