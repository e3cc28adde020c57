// SPDX-License-Identifier: MIT
// T25: how snow answers when it touches a body.
#include "physics/contact.h"

#include "figure.h"
#include "seed.h"

static const firn_vec3 up = {0, 1, 0}, rest = {0, 0, 0};

static double distance(firn_vec3 a, firn_vec3 b)
{
    return (double)firn_v3_length(firn_v3_sub(a, b));
}

static firn_vec3 hit(firn_real mu)
{
    return firn_contact_velocity(firn_v3(1, -1, 0), rest, up, mu, false);
}

static void given_values(void** state)
{
    (void)state;
    check_figure(T25_response, distance(hit(0), firn_v3(1, 0, 0)));
    check_figure(T25_response, distance(hit((firn_real)0.5), firn_v3((firn_real)0.5, 0, 0)));
    const firn_real many[] = {1, 2, 1e6f};
    for (int k = 0; k < 3; k++) {  // sticking is exact, not nearly
        const firn_vec3 v = hit(many[k]);
        assert_equal(v.x, 0);
        assert_equal(v.y, 0);
        assert_equal(v.z, 0);
    }
}

static void separating_is_unchanged(void** state)
{
    (void)state;
    any_source r = any_start(2501);
    for (int n = 0; n < 1000; n++) {
        const firn_vec3 b = any_vec3(&r, 2), normal = firn_v3_normalize(any_vec3(&r, 1), up);
        firn_vec3 v = any_vec3(&r, 3);
        if (firn_v3_dot(firn_v3_sub(v, b), normal) < 0) continue;
        const firn_vec3 after = firn_contact_velocity(v, b, normal, (firn_real)0.7, false);
        assert_memory_equal(&after, &v, sizeof v);
    }
    const firn_vec3 along = firn_contact_velocity(firn_v3(2, 0, 1), rest, up, 5, false);
    assert_equal(along.x, 2);
    assert_equal(along.z, 1);  // v_n = 0 counts as separating
}

static void straight_on_has_no_nan(void** state)
{
    (void)state;
    const firn_real frictions[] = {0, (firn_real)0.5, 2};
    for (int k = 0; k < 3; k++) {
        const firn_vec3 v = firn_contact_velocity(firn_v3(0, -3, 0), rest, up, frictions[k], false);
        assert_equal(v.x, 0);
        assert_equal(v.y, 0);
        assert_equal(v.z, 0);
    }
}

// Same in the body's frame; never reverses the slip; never gains energy there; leaves no approach.
static void invariants(void** state)
{
    (void)state;
    any_source r = any_start(2502);
    double frame = 0, growth = 0, approach = 0, friction = 0;
    for (int n = 0; n < 20000; n++) {
        const firn_vec3 body = any_vec3(&r, 4), v = any_vec3(&r, 4);
        const firn_vec3 normal = firn_v3_normalize(any_vec3(&r, 1), up);
        const firn_real mu = n % 3 == 0 ? 0 : (firn_real)any_between(&r, 0, 2);
        const firn_vec3 moving = firn_contact_velocity(v, body, normal, mu, false);
        const firn_vec3 relative = firn_v3_sub(v, body);
        const firn_vec3 still = firn_contact_velocity(relative, rest, normal, mu, false);
        frame = fmax(frame, distance(firn_v3_sub(moving, body), still));
        const double before = (double)firn_v3_dot(relative, relative);
        growth = fmax(growth, ((double)firn_v3_dot(still, still) - before) / before);
        const double v_n = (double)firn_v3_dot(relative, normal);
        approach = fmax(approach, -(double)firn_v3_dot(still, normal));
        const firn_vec3 slip = firn_v3_madd(relative, (firn_real)-v_n, normal);
        assert_at_least(firn_v3_dot(slip, still), -1e-6);
        if (v_n < 0) {  // the impulse along the surface is at most mu times that across it
            const double lost = distance(slip, still);
            friction = fmax(friction, lost + (double)mu * v_n);
        }
    }
    check_figure(T25_same_in_body_frame, frame);
    check_figure(T25_energy_growth, growth);
    check_figure(T25_same_in_body_frame, approach);
    check_figure(T25_same_in_body_frame, friction);
}

// T27: sticky bodies take the snow along even when it separates.
static void sticky(void** state)
{
    (void)state;
    const firn_vec3 body = {1, 2, 3};
    const firn_vec3 v = firn_contact_velocity(firn_v3(5, 50, 0), body, up, 0, true);
    assert_memory_equal(&v, &body, sizeof v);
}

// Friction used and unused add up to mu times the normal impulse; where snow slides, none is left.
static void unused_friction(void** state)
{
    (void)state;
    any_source r = any_start(5101);
    for (int n = 0; n < 1000; n++) {
        const firn_vec3 b = any_vec3(&r, 2), normal = firn_v3_normalize(any_vec3(&r, 1), up);
        const firn_vec3 v = any_vec3(&r, 3), rel = firn_v3_sub(v, b);
        const double mu = any_between(&r, 0, 2), v_n = (double)firn_v3_dot(rel, normal);
        const double unused = (double)firn_contact_unused(v, b, normal, (firn_real)mu);
        const firn_vec3 after = firn_contact_velocity(v, b, normal, (firn_real)mu, false);
        const firn_vec3 change = firn_v3_sub(after, v);
        const double used =
            distance(firn_v3_madd(change, -firn_v3_dot(change, normal), normal), rest);
        if (v_n >= 0)
            assert_equal(unused, 0);
        else
            assert_near(used + unused, -mu * v_n, 1e-5);
    }
}

// Grip g stops slip up to `limit`, costs what it stops, leaves the normal velocity, and fades.
static void grip_holds(void** state)
{
    (void)state;
    firn_real grip = (firn_real)0.5;
    const firn_vec3 body = {1, 0, 0}, v = {(firn_real)1.2, (firn_real)0.1, 0};
    firn_vec3 after = firn_contact_hold(v, body, up, 1, (firn_real)0.4, &grip);
    assert_near((double)after.x, 1, 1e-6);
    assert_equal(after.y, v.y);
    assert_near((double)grip, 0.3, 1e-6);
    after = firn_contact_hold(v, rest, up, 1, (firn_real)0.4, &grip);  // too fast
    assert_memory_equal(&after, &v, sizeof v);
    after = firn_contact_hold(v, rest, up, 1, 2, &grip);  // more than it can stop
    assert_near((double)after.x, 0.9, 1e-6);
    assert_equal(grip, 0);
    assert_near((double)firn_contact_grip(1, 0, (firn_real)0.1, (firn_real)0.2), 0.5, 1e-6);
    assert_near((double)firn_contact_grip(1, 2, 1, (firn_real)0.2), 2, 1e-6);
    const double share[] = {1, 1 - 2.0 / 3 + 1.0 / 12 - 1.0 / 64, 1.0 / 12, 1.0 / 192, 0, 0};
    for (int k = 0; k < 6; k++)
        assert_near((double)firn_contact_share((firn_real)(0.5 * k)), share[k], 1e-6);
    assert_equal(firn_contact_share(-1), 1);
}

int test_contact(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(given_values),
                                       cmocka_unit_test(unused_friction),
                                       cmocka_unit_test(grip_holds),
                                       cmocka_unit_test(separating_is_unchanged),
                                       cmocka_unit_test(straight_on_has_no_nan),
                                       cmocka_unit_test(invariants),
                                       cmocka_unit_test(sticky)};
    return cmocka_run_group_tests_name("contact", tests, NULL, NULL);
}
