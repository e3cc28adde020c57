// SPDX-License-Identifier: MIT
// Bodies push a grain as a mirrored grain behind their surface would, rub, and hold where they are
// sticky.
#include "physics/grain_wall.h"

#include "firn_test.h"
#include "physics/grain_table.h"

#define DT ((firn_real)1e-3)

// A floor below a grain of `phase` whose centre is `height` above it.
static firn_grain_wall floor_below(double height)
{
    return (firn_grain_wall){.phi = (firn_real)height, .n = {0, 1, 0}, .friction = (firn_real)0.5};
}

// Algorithm 3, line 2: the force is that of the same grain seen in a mirror, moving towards it, at
// any overlap and speed.
static void a_mirror(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.damping = (firn_real)0.2;
    for (int phase = 0; phase < 3; phase++)
        for (int k = 0; k < 5; k++)
            for (int speed = -2; speed < 3; speed++) {
                firn_grain i = grain_at(&c, (firn_phase)phase, 0);
                const firn_real height = i.r * (firn_real)(0.75 + 0.05 * k);
                i.v.y = (firn_real)(0.1 * speed);
                i.broken = phase != FIRN_WATER;  // bonds are for sticky bodies
                firn_grain mirrored = i;
                mirrored.x.y = -2 * height;
                mirrored.v.y = -i.v.y;
                firn_grain_constants dry = c;
                dry.tension = 0;
                const firn_grain_force expected = firn_grain_pair(&dry, &i, &mirrored, false);
                const firn_grain_wall wall = floor_below((double)height);
                const firn_grain_force f =
                    firn_grain_wall_force(&c, &i, &wall, firn_v3(0, 0, 0), firn_v3(0, 0, 0), DT);
                assert_near(f.force.y, expected.force.y, CONTACT);
                assert_near(f.spring, expected.spring, CONTACT);
                assert_equal(f.n.y, -1);
                assert_true(f.near);
                assert_equal(f.force.x, 0);
                assert_equal(f.force.z, 0);
            }
}

// Touches from phi = r on; a body that is not sticky never pulls.
static void range_of_a_wall(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.damping = 1;
    firn_grain i = grain_at(&c, FIRN_SNOW, 0);
    firn_grain_wall wall = floor_below(0.0501);
    assert_false(
        firn_grain_wall_force(&c, &i, &wall, firn_v3(0, -1, 0), firn_v3(0, 0, 0), DT).near);
    wall.phi = (firn_real)0.0499;
    const firn_grain_force f =
        firn_grain_wall_force(&c, &i, &wall, firn_v3(0, -1, 0), firn_v3(0, 0, 0), DT);
    assert_true(f.near);
    assert_near(f.force.y, 500 * 0.0001, CONTACT);
    i.v.y = 10;
    assert_equal(
        firn_grain_wall_force(&c, &i, &wall, firn_v3(0, -1, 0), firn_v3(0, 0, 0), DT).force.y, 0);
    wall.v.y = 10;  // along with it
    assert_greater(
        firn_grain_wall_force(&c, &i, &wall, firn_v3(0, -1, 0), firn_v3(0, 0, 0), DT).force.y, 0);
}

// Coulomb's law: what the floor can hold it holds exactly; more than mu N it cannot, and that
// against the motion.
static void friction_of_a_wall(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    firn_grain i = grain_at(&c, FIRN_SNOW, 0);
    firn_grain_wall wall = floor_below(0.04);
    const double normal_force = 500 * 0.01, most = 0.5 * normal_force;  // [N]
    firn_vec3 other = firn_v3((firn_real)(0.9 * most), 0, 0);
    firn_grain_force f = firn_grain_wall_force(&c, &i, &wall, other, firn_v3(0, 0, 0), DT);
    assert_equal(f.force.x, -other.x);
    assert_near(f.force.y, normal_force, CONTACT);
    other.x = (firn_real)(3 * most);
    f = firn_grain_wall_force(&c, &i, &wall, other, firn_v3(0, 0, 0), DT);
    assert_near(f.force.x, -most, CONTACT);
    // a slow grain is stopped within the step, and not driven back
    i.v.z = (firn_real)0.1;
    f = firn_grain_wall_force(&c, &i, &wall, firn_v3(0, 0, 0), firn_v3(0, 0, 0), DT);
    assert_near(i.v.z + DT / c.mass * f.force.z, 0, 1e-7);  // of 0.1 m/s: rounding
    // a fast one is braked by mu N
    i.v.z = 5;
    f = firn_grain_wall_force(&c, &i, &wall, firn_v3(0, 0, 0), firn_v3(0, 0, 0), DT);
    assert_near(f.force.z, -most, CONTACT);
    // and carried along by a body that moves
    wall.v.z = 10;
    f = firn_grain_wall_force(&c, &i, &wall, firn_v3(0, 0, 0), firn_v3(0, 0, 0), DT);
    assert_near(f.force.z, most, CONTACT);
    // water slides
    firn_grain w = grain_at(&c, FIRN_WATER, 0);
    w.v.z = 5;
    wall.phi = (firn_real)0.02;
    f = firn_grain_wall_force(&c, &w, &wall, firn_v3(1, 0, 0), firn_v3(0, 0, 0), DT);
    assert_equal(f.force.x, 0);
    assert_equal(f.force.z, 0);
    assert_greater(f.force.y, 0);
}

// A sticky body holds a bond like that of a grain with its mirror image, and does not let it slip.
static void a_sticky_wall(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    firn_grain i = grain_at(&c, FIRN_SNOW, 0);
    firn_grain_wall wall = floor_below(0.06);
    wall.sticky = true;
    const firn_vec3 other = firn_v3(2, 0, 0);
    firn_grain_force f = firn_grain_wall_force(&c, &i, &wall, other, firn_v3(0, 0, 0), DT);
    assert_near((double)f.force.y + 500 * 0.01, 0, CONTACT);  // pulls down
    assert_equal(f.force.x, -2);
    assert_less(f.spring, 0);
    wall.phi = (firn_real)(0.05 + 0.0249);  // breaks at 12.5 N: a gap of 25 mm
    assert_true(firn_grain_wall_force(&c, &i, &wall, other, firn_v3(0, 0, 0), DT).near);
    wall.phi = (firn_real)(0.05 + 0.0251);
    assert_false(firn_grain_wall_force(&c, &i, &wall, other, firn_v3(0, 0, 0), DT).near);
    wall.phi = (firn_real)0.06;
    i.broken = true;
    assert_false(firn_grain_wall_force(&c, &i, &wall, other, firn_v3(0, 0, 0), DT).near);
    const firn_grain w = grain_at(&c, FIRN_WATER, 0);
    wall.phi = (firn_real)0.03;
    assert_false(firn_grain_wall_force(&c, &w, &wall, other, firn_v3(0, 0, 0), DT).near);
}

int test_grain_contact_wall(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mirror), cmocka_unit_test(range_of_a_wall),
        cmocka_unit_test(friction_of_a_wall), cmocka_unit_test(a_sticky_wall)};
    return cmocka_run_group_tests_name("grain_contact_wall", tests, NULL, NULL);
}
