// SPDX-License-Identifier: MIT
// Which joints are refused.
#include "bodies/joint.h"

#include <math.h>

#include "firn_test.h"

static void refused(void** state)
{
    (void)state;
    for (int k = 0; k < FIRN_JOINT_KINDS; k++) {
        const firn_joint good = firn_joint_of_kind((firn_joint_kind)k);
        assert_int_equal(firn_joint_check(&good, NULL), FIRN_OK);
    }
    firn_joint j = firn_joint_of_kind((firn_joint_kind)FIRN_JOINT_KINDS);
    assert_int_equal(firn_joint_check(&j, NULL), FIRN_REFUSED_ARGUMENT);
    j = firn_joint_of_kind(FIRN_JOINT_HINGE);
    j.axis = firn_v3(0, 0, 0);
    assert_int_equal(firn_joint_check(&j, NULL), FIRN_REFUSED_ARGUMENT);
    j = firn_joint_of_kind(FIRN_JOINT_HINGE);
    j.angle_low = (firn_real)0.1;
    assert_int_equal(firn_joint_check(&j, NULL), FIRN_REFUSED_ARGUMENT);
    j = firn_joint_of_kind(FIRN_JOINT_SPRING);
    j.stiffness = -1;
    assert_int_equal(firn_joint_check(&j, NULL), FIRN_REFUSED_ARGUMENT);
    j = firn_joint_of_kind(FIRN_JOINT_ROPE);
    j.length = (firn_real)INFINITY;
    assert_int_equal(firn_joint_check(&j, NULL), FIRN_REFUSED_ARGUMENT);
    j = firn_joint_of_kind(FIRN_JOINT_BALL);
    j.break_force = 0;
    assert_int_equal(firn_joint_check(&j, NULL), FIRN_REFUSED_ARGUMENT);
    j = firn_joint_of_kind(FIRN_JOINT_FIXED);
    j.point_a.y = (firn_real)NAN;
    assert_int_equal(firn_joint_check(&j, NULL), FIRN_REFUSED_ARGUMENT);
}

int test_joint(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("joint", tests, NULL, NULL);
}
