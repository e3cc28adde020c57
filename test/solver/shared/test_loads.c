// SPDX-License-Identifier: MIT
// Sums of impulses: order, range, resolution; torques about a point; what colliders share.
#include "solver/shared/loads.h"

#include "firn_test.h"
#include "geometry/collider/collider.h"
#include "solver/collider_load.h"
#include "solver/shared/impulse.h"

static void any_order_gives_the_same(void** state)
{
    (void)state;
    firn_impulse up = {{0}, {0}}, down = {{0}, {0}};
    for (int k = 0; k < 1000; k++) {
        const int l = 999 - k;
        const firn_vec3 a = firn_v3((firn_real)k, 1, (firn_real)-0.3),
                        b = firn_v3((firn_real)l, 1, (firn_real)-0.3);
        firn_impulse_add(&up, a, 1.0 / (k + 1), -1e-7 * k, 1e5 / 3);
        firn_impulse_add(&down, b, 1.0 / (l + 1), -1e-7 * l, 1e5 / 3);
    }
    assert_memory_equal(&up, &down, sizeof up);
    assert_near(firn_impulse_value(&up, 0), 7.485470860550345, 1e-15 * 1000);  // harmonic number
    assert_near(firn_impulse_value(&up, 2), 1e8 / 3, 1e-8);
}

static void small_and_large(void** state)
{
    (void)state;
    firn_impulse sum = {{0}, {0}};
    firn_impulse_add(&sum, firn_v3(0, 0, 0), 1e-15, -3e9, NAN);
    assert_near(firn_impulse_value(&sum, 0), 1e-15, 2e-20);
    assert_near(firn_impulse_value(&sum, 1), -3e9, 1e-6);
    assert_true(firn_impulse_value(&sum, 2) == 0);
}

// Angular impulses are about the position of the pose; what colliders share goes by their weights.
static void torques_and_shares(void** state)
{
    (void)state;
    firn_collider colliders[2] = {{.shape = -1, .motion = firn_motion_at_rest()},
                                  {.shape = -1, .motion = firn_motion_at_rest()}};
    colliders[1].motion.position = firn_v3(1, 0, 0);
    for (int c = 0; c < 2; c++) colliders[c].motion.pivot = colliders[c].motion.position;
    firn_loads loads;
    assert_int_equal(firn_loads_create(colliders, 2, NULL, &loads), FIRN_OK);
    firn_loads_clear(&loads);
    firn_impulse* mine = firn_loads_mine(&loads);
    for (int c = 0; c < 2; c++) firn_impulse_weigh(&mine[c], c == 0 ? 1 : 3);
    firn_impulse_add(&mine[0], firn_v3(0, 2, 0), 5, 0, 0);
    firn_impulse_add(&mine[2], firn_v3(0, 0, 1), 0, 8, 0);  // shared, at (0, 0, 1)
    firn_loads_take(&loads, mine, colliders, 0.25);
    assert_near(loads.last[0].impulse[0], 5, 1e-15);
    assert_near(loads.last[0].impulse[1], 2, 1e-15);
    assert_near(loads.last[1].impulse[1], 6, 1e-15);
    assert_near(loads.last[0].angular[2], -10, 1e-15);
    assert_near(loads.last[0].angular[0], -2, 1e-15);
    assert_near(loads.last[1].about[0], 1, 1e-15);
    assert_near(loads.last[1].angular[2], -6, 1e-15);  // (0, 0, 1) - (1, 0, 0), times 6 along y
    firn_loads_destroy(&loads);
}

int test_loads(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_gives_the_same),
        cmocka_unit_test(small_and_large),
        cmocka_unit_test(torques_and_shares),
    };
    return cmocka_run_group_tests_name("loads", tests, NULL, NULL);
}
