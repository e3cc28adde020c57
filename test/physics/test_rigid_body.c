// SPDX-License-Identifier: MIT
// Rigid bodies against what mechanics says: free fall, constant torque, a spinning body that
// nothing touches, an impulse off the centre, and steps smaller than a float can tell.
#include "physics/rigid_body.h"

#include <math.h>

#include "firn_test.h"

// Of a brick, turned and moving: no two moments of inertia are equal.
static firn_rigid brick(void)
{
    return (firn_rigid){.position = {(firn_real)0.5, 2, -1},
                        .rotation = firn_q_from_vector(firn_v3((firn_real)0.3, -1, 2)),
                        .mass = 3,
                        .inertia =
                            firn_m3_diagonal((firn_real)0.02, (firn_real)0.05, (firn_real)0.06)};
}

static double energy(const firn_rigid* b)
{
    return 0.5 * (double)firn_v3_dot(firn_rigid_angular_momentum(b), b->spin);
}

static void falls(void** state)
{
    (void)state;
    firn_rigid b = brick();
    const firn_vec3 v_0 = {1, 2, -3}, g = {0, (firn_real)-9.81, 0}, f = {6, 0, 0};
    b.velocity = v_0;
    const int n = 1000;
    const double dt = 1e-3, t = n * dt;
    for (int k = 0; k < n; k++) firn_rigid_step(&b, f, firn_v3(0, 0, 0), g, (firn_real)dt);
    // symplectic Euler: x = v t + a t (t + dt)/2 exactly, to the rounding of n = 1000 sums of
    // numbers of up to 10: at most 1000 * 5e-7, by chance some sqrt(1000) * 5e-7
    const double a[3] = {2, -9.81, 0}, x_0[3] = {0.5, 2, -1};
    const double v[3] = {(double)b.velocity.x, (double)b.velocity.y, (double)b.velocity.z};
    const double x[3] = {(double)b.position.x, (double)b.position.y, (double)b.position.z};
    const double v0[3] = {1, 2, -3};
    for (int d = 0; d < 3; d++) {
        assert_near(v[d], v0[d] + a[d] * t, 1e-4);
        assert_near(x[d], x_0[d] + v0[d] * t + a[d] * t * (t + dt) / 2, 1e-4);
    }
    assert_equal(b.spin.x, 0);
    assert_equal(b.spin.y, 0);
    assert_equal(b.spin.z, 0);
}

// About an axis of the body the spin grows like torque / moment.
static void turns(void** state)
{
    (void)state;
    firn_rigid b = brick();
    const firn_vec3 axis = firn_q_rotate(b.rotation, firn_v3(0, 1, 0));
    const double dt = 1e-3, torque = 0.1;
    for (int k = 0; k < 500; k++)
        firn_rigid_step(&b, firn_v3(0, 0, 0), firn_v3_scale(axis, (firn_real)torque),
                        firn_v3(0, 0, 0), (firn_real)dt);
    const double along = (double)firn_v3_dot(b.spin, axis);
    // 500 sums that reach 1, and rotations that are normalised in float
    assert_near(along, torque / 0.05 * 0.5, 1e-4);
    assert_near(firn_v3_length(b.spin), along, 1e-4);
    // the angle is the integral of the spin: alpha t^2 / 2, with dt from the order of the step
    const firn_vec3 edge = firn_q_rotate(b.rotation, firn_v3(1, 0, 0));
    const firn_vec3 start = firn_q_rotate(brick().rotation, firn_v3(1, 0, 0));
    const double angle = acos((double)firn_v3_dot(edge, start));
    // 500 rotations of 6e-8, and acos of a cosine that is rounded
    assert_near(angle, 0.5 * 2 * 0.5 * (0.5 + dt), 1e-3);
}

// Nothing turns it: L stays, the energy too, and about the middle axis it flips over and back.
static void tumbles(void** state)
{
    (void)state;
    firn_rigid b = brick();
    const firn_vec3 middle = firn_q_rotate(b.rotation, firn_v3(0, 1, 0));
    const firn_vec3 other = firn_q_rotate(b.rotation, firn_v3(1, 0, 0));
    b.spin = firn_v3_madd(firn_v3_scale(middle, 8), (firn_real)0.05, other);
    const firn_vec3 L_0 = firn_rigid_angular_momentum(&b);
    const double E_0 = energy(&b);
    double worst_L = 0, worst_E = 0, lowest = 1, last = 1;
    for (int k = 0; k < 10000; k++) {
        firn_rigid_step(&b, firn_v3(0, 0, 0), firn_v3(0, 0, 0), firn_v3(0, 0, 0), (firn_real)1e-3);
        const firn_vec3 d = firn_v3_sub(firn_rigid_angular_momentum(&b), L_0);
        worst_L = fmax(worst_L, (double)(firn_v3_length(d) / firn_v3_length(L_0)));
        worst_E = fmax(worst_E, fabs(energy(&b) / E_0 - 1));
        last = (double)firn_v3_dot(firn_q_rotate(b.rotation, firn_v3(0, 1, 0)), middle);
        lowest = fmin(lowest, last);
    }
    print_message("L %.2e, energy %.2e, axis down to %.3f\n", worst_L, worst_E, lowest);
    assert_less(worst_L, 1e-4);  // 1e4 steps of float; 3e-3 where their rounding adds up
    assert_less(worst_E, 1e-4);  // second order in dt
    assert_less(lowest, -0.95);  // an explicit gyroscopic term, or none, does not do it
}

static void pushed_off_centre(void** state)
{
    (void)state;
    firn_rigid b = brick();
    b.spin = firn_v3(1, -2, (firn_real)0.5);
    const firn_vec3 x = firn_v3_add(b.position, firn_v3((firn_real)0.1, (firn_real)0.2, 0));
    const firn_vec3 n = {0, 0, 1};
    const double before = (double)firn_rigid_velocity_at(&b, x).z;
    const firn_vec3 L = firn_rigid_angular_momentum(&b);
    const double mobility = (double)firn_rigid_mobility(&b, x, n);
    assert_greater(mobility, 1.01 / 3);  // easier than the whole mass
    firn_rigid_push(&b, x, firn_v3(0, 0, (firn_real)0.6));
    // what mobility promises, and r x p of angular momentum: differences of numbers of order 1,
    // turned into the body's axes and back, in float
    assert_near((double)firn_rigid_velocity_at(&b, x).z - before, 0.6 * mobility, 1e-5);
    const firn_vec3 dL = firn_v3_sub(firn_rigid_angular_momentum(&b), L);
    assert_near(dL.x, 0.12, 1e-5);
    assert_near(dL.y, -0.06, 1e-5);
    assert_near(dL.z, 0, 1e-5);
    assert_near(b.velocity.z, 0.2, 1e-6);
}

// A weight that sinks by 1e-9 m a step, at a height of 2 m.
static void creeps(void** state)
{
    (void)state;
    firn_rigid b = brick();
    b.velocity = firn_v3(0, (firn_real)-1e-6, 0);
    for (int k = 0; k < 100000; k++) firn_rigid_advance(&b, (firn_real)1e-3);
    assert_near(b.position.y, 2 - 1e-4, 1e-6);  // a float near 2 is rounded by 1.2e-7
}

int test_rigid_body(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls), cmocka_unit_test(turns), cmocka_unit_test(tumbles),
        cmocka_unit_test(pushed_off_centre), cmocka_unit_test(creeps)};
    return cmocka_run_group_tests_name("rigid_body", tests, NULL, NULL);
}
