// SPDX-License-Identifier: MIT
// Gravity that changes between steps of simulations on a CUDA device.
#include "world_air_cases.h"

int test_world_air_cuda(void)
{
    if (!world_use_device()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(parabola), cmocka_unit_test(as_the_scene),
                                       cmocka_unit_test(refuses_gravity)};
    return cmocka_run_group_tests_name("world_air_cuda", tests, NULL, NULL);
}
