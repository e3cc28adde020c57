// SPDX-License-Identifier: MIT
// The block `joints`, and the keys of colliders that concern rigid bodies.
#include <math.h>
#include <string.h>

#include "bodies/joint.h"
#include "geometry/collider/collider.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\ncolliders:\n"
#define BALL "  - shape: {sphere: {center: [0, 0, 0], radius: 0.5}}\n"
#define FREE BALL "    mass: 2\n"
#define TWO HEAD FREE BALL "joints:\n  - "

// Exactly one error, with this text.
static void parse_bad(const char* text, const char* fragment)
{
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_not_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_OK);
    assert_int_equal(d.error_count, 1);
    assert_contains(d.items[0].message, fragment);
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

static void every_kind(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        HEAD FREE FREE
        "joints:\n"
        "  - {kind: fixed, a: 0, b: 1, point: [1, 2, 3], break_force: 10, break_torque: 20}\n"
        "  - {kind: hinge, a: 0, point: [0, 1, 0], axis: [1, 0, 0], angle_low: -90 deg,"
        " angle_high: 0.5}\n"
        "  - {kind: ball, a: 1, point: [0, 0, 0], collide: true}\n"
        "  - {kind: spring, a: 1, b: 0, point: [0, 0, 0], point_b: [0, 1, 0], stiffness: 100,"
        " damping: 3, length: 2}\n"
        "  - {kind: rope, a: 1, point: [0, 0, 0], point_b: [0, 1, 0], length: 1.5}\n"
        "  - {kind: rod, a: 0, b: 1, point: [0, 0, 0], point_b: [0, 1, 0]}\n",
        NULL);
    assert_int_equal(s.joint_count, FIRN_JOINT_KINDS);
    for (int k = 0; k < FIRN_JOINT_KINDS; k++) assert_int_equal(s.joints[k].kind, k);
    assert_int_equal(s.joints[0].b, 1);
    assert_equal(s.joints[0].break_torque, 20);
    assert_int_equal(s.joints[1].b, -1);
    assert_near(s.joints[1].angle_low, -1.5707963, 1e-6);
    assert_equal(s.joints[1].break_force, (firn_real)INFINITY);
    assert_true(s.joints[2].collide);
    assert_equal(s.joints[3].stiffness, 100);
    assert_equal(s.joints[4].length, (firn_real)1.5);
    assert_true(s.joints[5].length < 0);
    // written from the data and read again it is the same scene; another joint is another one
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    firn_scene_data_changed(&copy);
    char* written = firn_scene_to_yaml(&copy);
    firn_scene_data again = parse_good(written, NULL);
    assert_equal(firn_scene_hash(&again), firn_scene_hash(&s));
    again.joints[4].length = 2;
    assert_not_equal(firn_scene_hash(&again), firn_scene_hash(&s));
    firn_free(written);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&copy);
    firn_scene_data_destroy(&s);
}

static void mistakes(void** state)
{
    (void)state;
    parse_bad(TWO "{kind: ball, a: 1, point: [0, 0, 0]}\n", "has no 'mass'");
    parse_bad(TWO "{kind: ball, a: 2, point: [0, 0, 0]}\n", "there is no collider 2");
    parse_bad(TWO "{kind: ball, a: 0, b: 3, point: [0, 0, 0]}\n", "there is no collider 3");
    parse_bad(TWO "{kind: ball, a: 0, b: 0, point: [0, 0, 0]}\n", "two different colliders");
    parse_bad(TWO "{kind: ball, a: 0}\n", "point");
    parse_bad(TWO "{kind: glue, a: 0, point: [0, 0, 0]}\n", "glue");
    parse_bad(TWO "{kind: rope, a: 0, point: [0, 0, 0]}\n", "needs the key 'point_b'");
    parse_bad(TWO "{kind: spring, a: 0, point: [0, 0, 0], point_b: [0, 1, 0]}\n", "stiffness");
    parse_bad(TWO "{kind: ball, a: 0, point: [0, 0, 0], axis: [0, 0, 1]}\n", "a key of a hinge");
    parse_bad(TWO "{kind: hinge, a: 0, point: [0, 0, 0], axis: [0, 0, 0]}\n", "an axis");
    parse_bad(TWO "{kind: hinge, a: 0, point: [0, 0, 0], angle_low: 1}\n", "angle_low");
    parse_bad(TWO "{kind: rope, a: 0, point: [0, 0, 0], point_b: [0, 1, 0], break_torque: 1}\n",
              "a fixed joint or a hinge");
}

static void bodies(void** state)
{
    (void)state;
    // 4/3 pi r^3 of twice the size
    firn_scene_data s =
        parse_good(HEAD BALL "    density: 100\n    scale: 2\n    restitution: 0.3\n"
                             "    damping: 0.1\n    angular_damping: 0.2\n"
                             "    inertia: [1, 2, 2.5]\n",
                   NULL);
    assert_near(s.colliders[0].mass, 100 * 4.1887902, 1e-2);
    assert_equal(s.colliders[0].inertia.z, (firn_real)2.5);
    assert_equal(s.colliders[0].restitution, (firn_real)0.3);
    assert_equal(s.colliders[0].angular_damping, (firn_real)0.2);
    firn_scene_data_destroy(&s);
    parse_bad(HEAD BALL "    density: 100\n    mass: 3\n", "not both");
    parse_bad(HEAD BALL "    damping: 1\n", "has neither");
    parse_bad(HEAD BALL "    mass: 3\n    inertia: [1, 1, 3]\n", "no body has an inertia");
    parse_bad(HEAD "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n    density: 100\n",
              "mass above 0");
}

int test_joint_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind), cmocka_unit_test(mistakes),
                                       cmocka_unit_test(bodies)};
    return cmocka_run_group_tests_name("joint_keys", tests, NULL, NULL);
}
